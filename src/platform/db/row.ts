import type { Selectable } from 'kysely';
import type { Tables } from './tables.ts';

/** A row of a table, or only these columns of it. */
export type Row<T extends keyof Tables, C extends keyof Selectable<Tables[T]> = keyof Selectable<Tables[T]>> = Pick<
  Selectable<Tables[T]>,
  C
>;
