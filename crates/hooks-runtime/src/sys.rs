//! The system calls that the standard library has no safe form of: signals to a process group, the password database.

#[cfg(unix)]
pub(crate) use unix::{Group, login_shell};

#[cfg(not(unix))]
pub(crate) use other::{Group, login_shell};

#[cfg(unix)]
mod unix {
    use std::ffi::CStr;
    use std::io;
    use std::sync::OnceLock;

    /// A process group that was started here. Dropping it while it is armed kills every process in it.
    #[derive(Debug)]
    pub(crate) struct Group {
        id: Option<libc::pid_t>,
        armed: bool,
    }

    impl Group {
        /// The group led by a process that was started with a group of its own.
        pub(crate) fn of(leader: Option<u32>) -> Self {
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

        /// Lets whoever is left in the group live on.
        pub(crate) fn disarm(&mut self) {
            self.armed = false;
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

#[cfg(not(unix))]
mod other {
    /// Where there are no process groups, only the process itself is ended, by its handle.
    #[derive(Debug)]
    pub(crate) struct Group;

    impl Group {
        pub(crate) fn of(_leader: Option<u32>) -> Self {
            Self
        }

        pub(crate) fn terminate(&self) {}

        pub(crate) fn kill(&self) {}

        pub(crate) fn is_empty(&self) -> bool {
            true
        }

        pub(crate) fn disarm(&mut self) {}
    }

    pub(crate) fn login_shell() -> Option<&'static str> {
        None
    }
}
