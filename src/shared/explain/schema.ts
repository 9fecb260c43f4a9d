import { z } from 'zod';
import { exportTableNames } from '#shared/assignments/schema.ts';
import { valueTypeNames } from '#shared/construction/schema.ts';
import { requirementNames } from '#shared/channels/requirement.ts';
import { severityNames } from '#shared/channels/schema.ts';

/** Text of one item; null is a missing value. */
const value = z.string().nullable();
const integer = z.number().int();
/** Whether a field, rule or part has a share in the requested value; true everywhere if no field was requested. */
const concerns = z.boolean();

export const ruleScopes = ['master', 'export'] as const;

/** A rule by its position: `number` counts from 1 in its list, paused ones included, as on the rule screen. */
export const RulePlace = z
  .object({ scope: z.enum(ruleScopes), ruleId: z.string(), number: integer, name: z.string() })
  .meta({ id: 'RulePlace' });
export type RulePlace = z.infer<typeof RulePlace>;

/** A condition as evaluated for the item. */
export const ExplainedCondition = z.object({
  sentence: z.string(),
  /** The field that was tested; '@ALL@' for any field. */
  field: z.string(),
  /** Its value before the rule. */
  value,
  /** The other side if the rule does not contain it: another field's value, or the last number that is still among the n. */
  compared: value,
  /** null: not evaluated, since an earlier one failed or the rule is paused. */
  held: z.boolean().nullable(),
});
export type ExplainedCondition = z.infer<typeof ExplainedCondition>;

/** The effect of a rule on one field, by all its actions on that field. */
export const ExplainedChange = z.object({
  field: z.string(),
  before: value,
  after: value,
  /** The actions on the field, in order, as German sentences. */
  sentences: z.array(z.string()),
  /** A calculation failed (no number, division by 0, too large) and left the value; other actions may have changed it. */
  notCalculated: z.boolean(),
  concerns,
});
export type ExplainedChange = z.infer<typeof ExplainedChange>;

export const ruleStates = {
  held: 'trifft zu',
  not_held: 'trifft nicht zu',
  not_reached: 'nicht erreicht',
  paused: 'pausiert',
} as const;
export type RuleState = keyof typeof ruleStates;

export const ExplainedRule = RulePlace.extend({
  /** The whole rule as a German sentence. */
  sentence: z.string(),
  state: z.enum(['held', 'not_held', 'not_reached', 'paused']),
  conditions: z.array(ExplainedCondition),
  /** Index of the first condition that did not hold. */
  failed: integer.nullable(),
  excluded: z.boolean(),
  changes: z.array(ExplainedChange),
  concerns,
}).meta({ id: 'ExplainedRule' });
export type ExplainedRule = z.infer<typeof ExplainedRule>;

/** A mapping, or a table of the export, with the row that matched. */
export const ExplainedTable = z
  .object({
    kind: z.enum(['mapping', ...exportTableNames]),
    name: z.string(),
    /** Number of the first row that matched, from 1; null: none did. */
    row: integer.nullable(),
    rows: integer,
    /** Conditions of that row, with the values they tested. */
    conditions: z.array(z.object({ sentence: z.string(), value })),
    results: z.array(z.object({ name: z.string(), value })),
    concerns,
  })
  .meta({ id: 'ExplainedTable' });
export type ExplainedTable = z.infer<typeof ExplainedTable>;

/** A field of the export with its parts. `written` is the value as in the file (decimal mark, a list in JSON). */
export const ExplainedRow = z
  .object({
    rowId: z.string(),
    name: z.string(),
    kind: z.enum(valueTypeNames),
    /** `field` null: a fixed text. */
    parts: z.array(z.object({ field: z.string().nullable(), value })),
    value,
    written: value,
    requirement: z.enum(requirementNames),
    /** A required field without a value. */
    missing: z.boolean(),
    concerns,
  })
  .meta({ id: 'ExplainedRow' });
export type ExplainedRow = z.infer<typeof ExplainedRow>;

/** A stage of an item's way, in order. Stages of an export follow only if one was requested. */
export const ExplainedStage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('import'), values: z.array(z.object({ field: z.string(), value, concerns })) }),
  z.object({ kind: z.literal('masterRules'), revision: integer, rules: z.array(ExplainedRule) }),
  /** Mappings whose results are used; without an export all that run. */
  z.object({ kind: z.literal('mappings'), revision: integer, tables: z.array(ExplainedTable) }),
  /** The stock Kontor offers of the item on the export's channel, if it is used. */
  z.object({ kind: z.literal('stock'), name: z.string(), value, concerns }),
  z.object({ kind: z.literal('exportRules'), revision: integer, rules: z.array(ExplainedRule) }),
  /** Categories, brands and colours, as far as the construction uses them. */
  z.object({ kind: z.literal('tables'), tables: z.array(ExplainedTable) }),
  /** `reached` false: a rule excluded the item. */
  z.object({
    kind: z.literal('construction'),
    revision: integer,
    reached: z.boolean(),
    /** Nothing is constructed: every field is exported under its own name. */
    passThrough: z.boolean(),
    rows: z.array(ExplainedRow),
  }),
]);
export type ExplainedStage = z.infer<typeof ExplainedStage>;

const rawValues = z.array(z.object({ field: z.string(), value, used: z.boolean() }));

/** A field from its raw to its final value: of the export if one was requested, else of the catalogue. */
export const ExplainedField = z.object({
  name: z.string(),
  /**
   * Source fields and their raw values; empty for a fixed text or a field that only rules write. `used` false: a rule overwrote
   * it, so the value contains nothing of it.
   */
  raw: rawValues,
  value,
  /** Rules that changed it or its parts. */
  changedBy: z.array(RulePlace),
});
export type ExplainedField = z.infer<typeof ExplainedField>;

export const causeKinds = [
  'import',
  'masterRules',
  'mappings',
  'stock',
  'exportRules',
  'tables',
  'construction',
  'attributes',
  'settings',
] as const;
export type CauseKind = (typeof causeKinds)[number];

/** A change between a file and now, in German, with author and time if known. */
export const Cause = z.object({ kind: z.enum(causeKinds), sentence: z.string() });
export type Cause = z.infer<typeof Cause>;

/** The item in a finished file: the last accepted one, or that of the requested run. */
export const ExplainedFile = z.object({
  number: integer,
  runid: z.string(),
  createdAt: z.string(),
  present: z.boolean(),
  /**
   * Fields that differ between file and explanation. `causes`: changes that each alone cause the difference; [] if none does
   * alone.
   */
  differences: z.array(z.object({ name: z.string(), file: value, now: value, causes: z.array(z.enum(causeKinds)) })),
  /** All changes since that file. */
  causes: z.array(Cause),
});
export type ExplainedFile = z.infer<typeof ExplainedFile>;

const snapshot = z.object({ number: integer, importedAt: z.string() });

/** The origin of an item's values, and why it is or is not in an export. None of it is stored (docs/explain.md). */
export const Explanation = z
  .object({
    item: z.object({ id: z.string(), title: z.string().nullable() }),
    snapshot: snapshot.extend({ live: z.boolean() }),
    /** false: the snapshot does not contain the item; there are no stages then. */
    present: z.boolean(),
    /** The last snapshot that contained an item no longer present. */
    lastSeen: snapshot.nullable(),
    export: z.object({ id: z.string(), name: z.string() }).nullable(),
    run: z.object({ runid: z.string(), finishedAt: z.string() }).nullable(),
    /** The requested field; 'unknown' if neither export, catalogue nor rules have it. */
    field: z
      .object({ name: z.string(), kind: z.enum(['export', 'catalogue', 'unknown']), value, raw: rawValues })
      .nullable(),
    /** Whether the item is exported; without an export: whether no master rule excludes it. */
    inExport: z.boolean(),
    excludedBy: RulePlace.nullable(),
    /** The German reason of `inExport`: no rule excludes it, which one does, or for which errors the export leaves it out. */
    reason: z.string(),
    /** The origin of the requested field's value in one German sentence. */
    answer: z.string().nullable(),
    /** Whether the item is in the export's file, and why that differs from here; null without an export. */
    fileNote: z.string().nullable(),
    stages: z.array(ExplainedStage),
    fields: z.array(ExplainedField),
    file: ExplainedFile.nullable(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.infer<typeof Explanation>;

/** An export of the master with respect to one item. `inFile` null: there is no file yet. */
export const ItemInExport = z.object({
  id: z.string(),
  name: z.string(),
  inExport: z.boolean(),
  inFile: z.boolean().nullable(),
  reason: z.string(),
});
export type ItemInExport = z.infer<typeof ItemInExport>;

/**
 * How an exported value relates to the imported one: `fixed` has no source, `combined` several, `changed` differs from its only
 * one.
 */
export const valueOrigins = ['unchanged', 'changed', 'fixed', 'combined', 'none'] as const;

/** A field of an export as written in the file, with its problems. */
export const ItemExportValue = z.object({
  name: z.string(),
  written: value,
  origin: z.enum(valueOrigins),
  /** The imported value, if `written` differs from it. */
  imported: value,
  /** Errors and warnings; a field that the channel requires and no row constructs is listed with its error. */
  problems: z.array(z.object({ severity: z.enum(severityNames), sentence: z.string() })),
});
export type ItemExportValue = z.infer<typeof ItemExportValue>;

/** The values one export gives an item now; `values` is empty if a rule excludes it. */
export const ItemExportValues = z
  .object({
    id: z.string(),
    name: z.string(),
    inExport: z.boolean(),
    reason: z.string(),
    values: z.array(ItemExportValue),
  })
  .meta({ id: 'ItemExportValues' });
export type ItemExportValues = z.infer<typeof ItemExportValues>;
