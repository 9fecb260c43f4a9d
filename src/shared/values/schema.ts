import { integerText } from './integer-text.ts';
import { z } from 'zod';

/** The name of all fields of an item, in conditions and actions. */
export const ALL_FIELDS = '@ALL@';

/** The longest text of one value in a rule, in UTF-16 units. */
export const MAX_VALUE = 1_000_000;

/** The largest value of the tables' integer columns. */
export const MAX_INTEGER = 2_147_483_647;

/** Dates up to this year are refused: the database knows no year 0, and dates far from today break its arithmetic. */
const EARLIEST = 1970;
const inOurTime = (text: string) => Number(text.slice(0, 4)) > EARLIEST && Number(text.slice(0, 4)) < 9999;
const outOfTime = `Das Jahr muss zwischen ${EARLIEST + 1} und 9998 liegen.`;

/** A date and time on the wire, with its offset from UTC. */
export const moment = z.iso.datetime({ offset: true, abort: true }).refine(inOurTime, outOfTime);
/** A day on the wire. A false one ends the check: comparing it with another day would add a fault that is none. */
export const day = z.iso.date({ abort: true }).refine(inOurTime, { error: outOfTime, abort: true });

/** Kinds of value in a selector, with the headings of its groups (GEN-08). Free text has no heading. */
export const VALUE_TYPES = [
  { type: '_field', heading: 'Projektfelder' },
  { type: '_intern', heading: 'Interne Felder' },
  { type: '_mapping', heading: 'Mapping Felder' },
  { type: '_default', heading: 'Festgelegte Werte' },
  { type: '_string', heading: '' },
] as const;

export type ValueType = (typeof VALUE_TYPES)[number]['type'];

/** Returns the German heading of a selector's group; '' for free text. */
export function valueHeading(type: ValueType): string {
  return VALUE_TYPES.find((entry) => entry.type === type)?.heading ?? '';
}

/** One entry of a selector (GEN-08): `origin` is 'import' for a field of the catalogue, else ''. */
export const SelectorEntry = z.object({
  name: z.string(),
  value: z.string(),
  origin: z.enum(['import', '']).default(''),
});
export type SelectorEntry = z.infer<typeof SelectorEntry>;

function asText(input: unknown): unknown {
  if (input === null || input === undefined) return '';
  return typeof input === 'number' || typeof input === 'boolean' ? String(input) : input;
}

/** Converts a text of digits, as forms send whole numbers, to a number; anything else is returned unchanged for the schema. */
export function readInteger(input: unknown): unknown {
  return typeof input === 'string' && /^\s*-?\d+\s*$/.test(input) ? Number(input) : input;
}

/** Returns a schema for a member that senders may leave empty: null and '' count as absent. */
export function dropped<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value: z.input<T> | null | '' | undefined) => (value === null || value === '' ? undefined : value),
    schema,
  );
}

/**
 * Returns a schema for a text on the wire: absent and null count as '', a number as its digits. NUL cannot be stored: refused
 * (T9).
 */
export function wireText(maximum: number) {
  return z.preprocess(
    asText,
    z
      .string()
      // Not as a text: formatting the first number takes longer than reading all these schemas.
      .max(maximum, { error: () => `Höchstens ${integerText(maximum)} Zeichen sind erlaubt.` })
      .refine((value) => !value.includes('\0'), 'Das Zeichen NUL ist nicht erlaubt.'),
  );
}
