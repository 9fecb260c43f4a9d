const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' });

/** Returns in how many minutes from now a run's message says that it is tried again; undefined if it does not. */
export function minutesToNextTry(message: string | null | undefined): number | undefined {
  const [, at] = /Nächster Versuch: (.*)\.$/.exec(message ?? '') ?? [];
  const minutes = Array.from({ length: 90 }, (_, ahead) => ahead - 10);
  return minutes.find((ahead) => time.format(Date.now() + ahead * 60_000) === at);
}
