//! How a host takes a run back.

use tokio::sync::watch;

/// A signal that ends every run it was given to. Clones are the same signal; once given it stays given.
#[derive(Clone, Debug)]
pub struct CancelSignal(watch::Sender<bool>);

impl Default for CancelSignal {
    fn default() -> Self {
        Self::new()
    }
}

impl CancelSignal {
    /// A signal that has not been given.
    #[must_use]
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Gives the signal.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether it has been given.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is given; at once where it has been. Safe to drop and call again.
    pub async fn cancelled(&self) {
        let mut signal = self.0.subscribe();
        // The sender lives as long as `self`, so waiting cannot end any other way.
        if signal.wait_for(|given| *given).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
