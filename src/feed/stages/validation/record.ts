import { z } from 'zod';
import { severityNames } from '#shared/channels/schema.ts';
import { Readiness } from '#shared/diagnosis/readiness.ts';
import { kinds, type KindName } from './kinds.ts';

const isKind = (value: string): value is KindName => value in kinds;

/** A problem found in a run: the number of items that have it, and how many of them would have no errors if it were fixed. */
const FoundProblem = z.object({
  key: z.string(),
  kind: z.string().refine(isKind),
  severity: z.enum(severityNames),
  field: z.string(),
  title: z.string(),
  rowId: z.string().nullable(),
  shows: z.array(z.string()),
  detail: z.string(),
  column: z.number().int(),
  bit: z.number().int(),
  items: z.number().int(),
  gain: z.number().int(),
  /** The number of an item that has the problem. */
  sample: z.string(),
});
export type FoundProblem = z.infer<typeof FoundProblem>;

/**
 * The findings of a run, stored with its result: they say which bit of its file means what, so that old runs stay readable when
 * templates and constructions change.
 */
export const DiagnosisRecord = z.object({
  /** Ending of the file with all checked items and the mask columns. */
  ending: z.string(),
  masks: z.number().int(),
  /** Files of further bits: `row` in the file above, and `bits` for the mask column `column`. */
  extras: z.array(z.object({ ending: z.string(), column: z.number().int() })),
  problems: z.array(FoundProblem),
  readiness: Readiness,
});
export type DiagnosisRecord = z.infer<typeof DiagnosisRecord>;
