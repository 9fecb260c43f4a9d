export const runStates = {
  queued: 'wartet',
  running: 'läuft',
  done: 'fertig',
  failed: 'fehlgeschlagen',
  cancelled: 'abgebrochen',
  blocked: 'wartet auf Freigabe',
} as const;
/** The word for a cancelled run that had been held, and whose result a user discarded. */
export const discardedWord = 'verworfen';
export type RunState = keyof typeof runStates;
/** Returns the word for a run's state. */
export const runWord = ({ state, discarded }: { state: RunState; discarded: boolean }): string =>
  discarded ? discardedWord : runStates[state];
/** Start of an export run's warning of sources that vanished, which the overview repeats. */
export const goneSources = 'Der Feldaufbau liest Quellen, die es nicht (mehr) gibt';

export const runStateNames = ['queued', 'running', 'done', 'failed', 'cancelled', 'blocked'] as const;

export const runKinds = {
  import: 'Import',
  export: 'Export',
  upload: 'Übertragung',
  images: 'Bildprüfung',
  stock: 'Bestand und Preis',
  prices: 'Preisabgleich',
} as const;
