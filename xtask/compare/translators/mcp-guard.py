#!/usr/bin/env python3
"""For Cursor's beforeMCPExecution: no tool of a server deletes anything."""
import json
import sys

event = json.load(sys.stdin)
if event["tool_name"].startswith("delete"):
    json.dump({"permission": "deny", "agent_message": "nothing is deleted from here"}, sys.stdout)
else:
    json.dump({"permission": "allow"}, sys.stdout)
