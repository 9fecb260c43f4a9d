import { integerText } from './integer-text.ts';
import { z } from 'zod';

/** The name that stands for every field of an item, in conditions and actions. */
export const ALL_FIELDS = '@ALL@';

/** The longest text a rule may carry in one value, in UTF-16 units. */
export const MAX_VALUE = 1_000_000;

/** The largest number that the tables' whole numbers hold. */
export const MAX_INTEGER = 2_147_483_647;

/** Before this year nothing of ours happened; the database knows no year 0, and dates far from today break its arithmetic. */
const EARLIEST = 1970;
const inOurTime = (text: string) => Number(text.slice(0, 4)) > EARLIEST && Number(text.slice(0, 4)) < 9999;
const outOfTime = `Das Jahr muss zwischen ${EARLIEST + 1} und 9998 liegen.`;

/** A moment of the wire, with its offset from UTC. */
export const moment = z.iso.datetime({ offset: true }).refine(inOurTime, outOfTime);
/** A day of the wire. */
export const day = z.iso.date().refine(inOurTime, outOfTime);

/** Kinds of value that a selector offers, with the headings of its groups (GEN-08). Free text has no heading. */
export const VALUE_TYPES = [
  { type: '_field', heading: 'Projektfelder' },
  { type: '_intern', heading: 'Interne Felder' },
  { type: '_mapping', heading: 'Mapping Felder' },
  { type: '_default', heading: 'Festgelegte Werte' },
  { type: '_string', heading: '' },
] as const;

export type ValueType = (typeof VALUE_TYPES)[number]['type'];

/** The German heading of a selector's group; '' for free text. */
export function valueHeading(type: ValueType): string {
  return VALUE_TYPES.find((entry) => entry.type === type)?.heading ?? '';
}

/** One entry that a selector offers (GEN-08): `origin` is 'import' for a field of the catalogue, else ''. */
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

/** A whole number as forms send it, a text of digits, as the number; all else stays for the schema to judge. */
export function readInteger(input: unknown): unknown {
  return typeof input === 'string' && /^\s*-?\d+\s*$/.test(input) ? Number(input) : input;
}

/** A member of the wire that senders may drop: null and '' count as missing. */
export function dropped<T extends z.ZodType>(schema: T) {
  return z.preprocess(
    (value: z.input<T> | null | '' | undefined) => (value === null || value === '' ? undefined : value),
    schema,
  );
}

/** A text of the wire: missing and null count as '', a number as its digits. NUL can be stored nowhere: refused (T9). */
export function wireText(maximum: number) {
  return z.preprocess(
    asText,
    z
      .string()
      .max(maximum, `Höchstens ${integerText(maximum)} Zeichen sind erlaubt.`)
      .refine((value) => !value.includes('\0'), 'Das Zeichen NUL ist nicht erlaubt.'),
  );
}
