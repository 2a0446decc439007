//! The system calls that the standard library has no safe form of: signals to a process group, job objects, locks on
//! files, the password database.

#[cfg(unix)]
pub(crate) use unix::{Group, lock_now, login_shell};

#[cfg(windows)]
pub(crate) use windows::{Group, lock_now};

#[cfg(not(any(unix, windows)))]
pub(crate) use other::{Group, lock_now};

#[cfg(unix)]
mod unix {
    use std::ffi::CStr;
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd as _;
    use std::sync::OnceLock;

    use tokio::process::Child;

    /// A process group that was started here. Dropping it while it is armed kills every process in it.
    #[derive(Debug)]
    pub(crate) struct Group {
        id: Option<libc::pid_t>,
        armed: bool,
    }

    impl Group {
        /// The group led by a process that was started with a group of its own.
        pub(crate) fn of(leader: &Child) -> Self {
            let leader = leader.id();
            // Ids 0 and 1 would address this process's own group or every process there is.
            let id = leader.and_then(|id| libc::pid_t::try_from(id).ok()).filter(|id| *id > 1);
            Self { id, armed: true }
        }

        /// Asks every process of the group to end.
        pub(crate) fn terminate(&self) {
            // An error means that nobody is left, or nobody we may signal: the caller sees that in what it waits for.
            let _ = self.signal(libc::SIGTERM);
        }

        /// Kills every process of the group.
        pub(crate) fn kill(&self) {
            // As above.
            let _ = self.signal(libc::SIGKILL);
        }

        /// Whether no process is left in it. One that has ended and that nobody has waited for still counts, so where
        /// the system's first process waits for nobody, this may never be true.
        pub(crate) fn is_empty(&self) -> bool {
            matches!(self.signal(0), Err(error) if error.raw_os_error() == Some(libc::ESRCH))
        }

        /// Lets go of the id where nobody is left, once the leader was waited for: from then on the system may give it to
        /// somebody else, who must not be ended in the group's name.
        pub(crate) fn release_when_empty(&mut self) {
            if self.is_empty() {
                self.id = None;
            }
        }

        /// Lets whoever is left in the group live on.
        pub(crate) fn disarm(&mut self) {
            self.armed = false;
        }

        /// Whether it still holds its id.
        #[cfg(test)]
        pub(crate) const fn has_id(&self) -> bool {
            self.id.is_some()
        }

        #[allow(unsafe_code)]
        fn signal(&self, signal: libc::c_int) -> io::Result<()> {
            let Some(id) = self.id else { return Err(io::Error::from_raw_os_error(libc::ESRCH)) };
            // SAFETY: `kill` takes two integers and touches no memory of this process. The id is greater than 1, so
            // the negated id names one process group and not "every process".
            let sent = unsafe { libc::kill(-id, signal) };
            if sent == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        }
    }

    impl Drop for Group {
        fn drop(&mut self) {
            if self.armed {
                self.kill();
            }
        }
    }

    /// The current user's shell in the password database; `None` where there is no entry or it names none. Looked up
    /// once: the database may be a network service.
    pub(crate) fn login_shell() -> Option<&'static str> {
        static SHELL: OnceLock<Option<String>> = OnceLock::new();
        SHELL.get_or_init(look_up_login_shell).as_deref()
    }

    /// Locks an open file for this process alone, without waiting: whether it got the lock. The lock ends with the file.
    #[allow(unsafe_code)]
    pub(crate) fn lock_now(file: &File) -> io::Result<bool> {
        // SAFETY: `flock` takes two integers and touches no memory; the descriptor is open as long as `file` lives.
        if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
            return Ok(true);
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(false),
            _ => Err(error),
        }
    }

    /// More than any entry of a password database takes.
    const ENTRY_LIMIT: usize = 1 << 20;

    #[allow(unsafe_code)]
    fn look_up_login_shell() -> Option<String> {
        let mut buffer: Vec<libc::c_char> = vec![0; 1 << 10];
        loop {
            let mut entry = std::mem::MaybeUninit::<libc::passwd>::uninit();
            let mut found: *mut libc::passwd = std::ptr::null_mut();
            // SAFETY: `entry` and `found` are valid for writes, `buffer` is valid for writes of the length that is
            // given with it, and all three outlive the call. `getuid` has no preconditions.
            let code = unsafe {
                libc::getpwuid_r(libc::getuid(), entry.as_mut_ptr(), buffer.as_mut_ptr(), buffer.len(), &raw mut found)
            };
            if code == libc::ERANGE && buffer.len() < ENTRY_LIMIT {
                buffer.resize(buffer.len() * 4, 0);
                continue;
            }
            if code != 0 || found.is_null() {
                return None;
            }
            // SAFETY: the call succeeded and `found` is not null, so it points to `entry`, which is now initialised.
            let shell = unsafe { (*found).pw_shell };
            if shell.is_null() {
                return None;
            }
            // SAFETY: a non-null `pw_shell` of a successful call is a NUL-terminated string inside `buffer`, which is
            // neither changed nor freed before the text is copied out.
            let shell = unsafe { CStr::from_ptr(shell) };
            return shell.to_str().ok().filter(|shell| !shell.is_empty()).map(str::to_owned);
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::fs::File;
    use std::io;
    use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};

    use tokio::process::Child;
    use windows_sys::Win32::System::JobObjects::{
        AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
        JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
        JobObjectBasicAccountingInformation, JobObjectExtendedLimitInformation, QueryInformationJobObject,
        SetInformationJobObject, TerminateJobObject,
    };

    /// A job object with a process and all that it starts. Dropping it while it is armed kills every process in it.
    ///
    /// The process is put into it right after it was started, since the standard library starts none suspended: what it
    /// starts before that is out of reach.
    #[derive(Debug)]
    pub(crate) struct Group {
        job: Option<OwnedHandle>,
    }

    impl Group {
        /// A group of a process that was just started. Where there can be none, only the process itself is ended, by its
        /// handle.
        pub(crate) fn of(leader: &Child) -> Self {
            let job = new_job().ok().filter(|job| {
                set_limits(job, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)
                    && leader.raw_handle().is_some_and(|process| put(job, process))
            });
            Self { job }
        }

        /// There is no polite signal that reaches a whole job.
        pub(crate) fn terminate(&self) {}

        /// Kills every process of the group.
        #[allow(unsafe_code)]
        pub(crate) fn kill(&self) {
            if let Some(job) = &self.job {
                // SAFETY: the handle is a job's and open as long as it is owned. A failure means that nobody is left.
                unsafe { TerminateJobObject(job.as_raw_handle(), 1) };
            }
        }

        /// Whether no process is left in it.
        #[allow(unsafe_code)]
        pub(crate) fn is_empty(&self) -> bool {
            let Some(job) = &self.job else { return true };
            let mut facts = JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
            // SAFETY: the handle is a job's and open; `facts` is valid for writes of the size that is given with it, which
            // is the one this class of information has.
            let known = unsafe {
                QueryInformationJobObject(
                    job.as_raw_handle(),
                    JobObjectBasicAccountingInformation,
                    (&raw mut facts).cast(),
                    size_of_u32::<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION>(),
                    std::ptr::null_mut(),
                )
            };
            known == 0 || facts.ActiveProcesses == 0
        }

        /// A job's handle is its own, whoever is left in it.
        pub(crate) fn release_when_empty(&mut self) {}

        /// Lets whoever is left in the group live on.
        pub(crate) fn disarm(&mut self) {
            // Where the limit cannot be taken off, closing the handle would kill, so it is left open.
            if let Some(job) = self.job.take()
                && !set_limits(&job, 0)
            {
                std::mem::forget(job);
            }
        }
    }

    #[allow(unsafe_code)]
    fn new_job() -> io::Result<OwnedHandle> {
        // SAFETY: both pointers may be null: no attributes and no name.
        let job = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was just made, is valid, and nobody else owns it.
        Ok(unsafe { OwnedHandle::from_raw_handle(job) })
    }

    #[allow(unsafe_code)]
    fn put(job: &OwnedHandle, process: std::os::windows::io::RawHandle) -> bool {
        // SAFETY: both handles are open: the job is owned, and the process's is the child's, which outlives the call.
        unsafe { AssignProcessToJobObject(job.as_raw_handle(), process) != 0 }
    }

    #[allow(unsafe_code)]
    fn set_limits(job: &OwnedHandle, flags: u32) -> bool {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = flags;
        // SAFETY: the handle is a job's and open; `limits` is valid for reads of the size that is given with it, which is
        // the one this class of information has.
        let set = unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_u32::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>(),
            )
        };
        set != 0
    }

    /// The size of a structure of the system's, which is a few words.
    const fn size_of_u32<T>() -> u32 {
        size_of::<T>() as u32
    }

    /// Opening the file locked it already: nobody else can open it meanwhile.
    pub(crate) fn lock_now(_file: &File) -> io::Result<bool> {
        Ok(true)
    }
}

#[cfg(not(any(unix, windows)))]
mod other {
    use tokio::process::Child;

    /// Where there are neither process groups nor job objects, only the process itself is ended, by its handle.
    #[derive(Debug)]
    pub(crate) struct Group;

    impl Group {
        pub(crate) fn of(_leader: &Child) -> Self {
            Self
        }

        pub(crate) fn terminate(&self) {}

        pub(crate) fn kill(&self) {}

        pub(crate) fn is_empty(&self) -> bool {
            true
        }

        pub(crate) fn release_when_empty(&mut self) {}

        pub(crate) fn disarm(&mut self) {}
    }

    /// There is no lock here.
    pub(crate) fn lock_now(_file: &std::fs::File) -> std::io::Result<bool> {
        Ok(true)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Stdio;

    use tokio::process::Command;

    use super::*;

    /// A group's id is held as long as somebody is in it, and let go of once nobody is.
    #[tokio::test]
    async fn a_group_without_members_is_nobody_s() {
        for (text, is_left) in [("exit 0", false), ("sleep 60 & exit 0", true)] {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", text]).process_group(0).stdin(Stdio::null()).stdout(Stdio::null());
            let mut leader = command.spawn().unwrap();
            let mut group = Group::of(&leader);
            leader.wait().await.unwrap();
            group.release_when_empty();
            assert_eq!(group.has_id(), is_left, "{text}");
        }
    }
}
