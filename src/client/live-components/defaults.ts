/** LVC-02: defaults of live components where their HTML does not say otherwise. Milliseconds. */
export const liveDefaults = {
  /** After the last key, before typed text is sent. */
  inputDelay: 150,
  actionDelay: 0,
  /** Between two polls. */
  pollInterval: 2000,
  /** Before a component shows that it is waiting for an answer. */
  loadingDelay: 200,
  /** Distance below the window at which a lazy component is loaded. */
  lazyMargin: '200px',
  /** Consecutive failures after which a component stops polling. */
  pollFailures: 3,
} as const;
