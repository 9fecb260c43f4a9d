/** LVC-02: how live components behave where their HTML says nothing else. Milliseconds. */
export const liveDefaults = {
  /** Without a further key before what was typed is sent. */
  inputDelay: 150,
  actionDelay: 0,
  /** Between two questions of a component that asks by itself. */
  pollInterval: 2000,
  /** Before a component that waits for its answer shows that it does. */
  loadingDelay: 200,
  /** How far below the window a component is that is loaded when it is about to be seen. */
  lazyMargin: '200px',
  /** Questions that may fail one after the other before it asks no more by itself. */
  pollFailures: 3,
} as const;
