import type { Master } from '#shared/masters/schema.ts';

/** The names by which users know catalogues, exports and marketplace accounts, by id. */
export const namesOf = (masters: readonly Master[]): ReadonlyMap<string, string> =>
  new Map(
    masters.flatMap(({ masterid, name, exports, accounts }) => [
      [masterid, name] as const,
      ...[...exports, ...accounts].map((one) => [one.id, one.name] as const),
    ]),
  );

/**
 * Returns what an event was about, with the names of what still exists: a subject is a call's parameters, separated by blanks, some
 * with a kind before the id („export:Xy12“).
 */
export const namedSubject = (subject: string, names: ReadonlyMap<string, string>): string =>
  subject
    .split(' ')
    .map((word) => names.get(word.slice(word.indexOf(':') + 1)) ?? word)
    .join(' ');
