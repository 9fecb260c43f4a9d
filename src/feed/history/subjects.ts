import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { mappingChanges, rowChanges, targetListChanges } from '#shared/assignments/difference.ts';
import { attributeChanges } from '#shared/attributes/difference.ts';
import { AttributeValues, type AttributeValue } from '#shared/attributes/schema.ts';
import { ASSIGNMENT_LIMITS, CategoryRow, Mapping, MappingRow } from '#shared/assignments/schema.ts';
import { ConstructionRow, MOST_ROWS } from '#shared/construction/schema.ts';
import { constructionChanges } from '#shared/construction/difference.ts';
import { DifferenceSettings } from '#shared/difference/schema.ts';
import { Release } from '#catalogue/releases.ts';
import { KontorError, unprocessable } from '#platform/errors.ts';
import { ExportSettings } from '#shared/exports/schema.ts';
import { type DocumentSubject, type SubjectWithParts, withPartBack } from '#shared/history/schema.ts';
import { ColumnSettings } from '#shared/items/schema.ts';
import { lessSafe, normalSafety, PriceSafety, safetyChanges } from '#shared/repricer/safety.ts';
import { repricerRuleChanges } from '#shared/repricer/difference.ts';
import { REPRICER_LIMITS, RepricerRules, type RepricerRule } from '#shared/repricer/schema.ts';
import { ruleListChanges } from '#shared/rules/difference.ts';
import { quoted, ruleName } from '#shared/rules/sentences.ts';
import { RULE_LIMITS, Rules, type Rule } from '#shared/rules/schema.ts';
import { ScheduleSettings } from '#shared/schedule/schema.ts';
import { stockChanges } from '#shared/stock/changes.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { TargetList } from '#shared/targets/schema.ts';
import { UploadSettings } from '#shared/upload/schema.ts';
import { integerText } from '#shared/values/integer-text.ts';
import {
  differenceChanges,
  scheduleChanges,
  settingsChanges,
  uploadChanges,
} from '#shared/exports/settings-difference.ts';

type Part = { id: string; name: string };

/** How the history of one subject is described. Bodies are the saved JSON texts; undefined: there was none before. */
export type SubjectHistory = {
  readonly changes: (before: string | undefined, after: string) => string[];
  /** Whether both states have the same content; `changes` may be empty although they differ in something that no sentence tells. */
  readonly same: (before: string | undefined, after: string) => boolean;
  /** Parts that a save removed and that can be restored separately. */
  readonly removed: (before: string | undefined, after: string) => Part[];
  readonly withPart?: never;
  /**
   * The older state, except for what it cannot restore, which stays as it is today, and German words for that. Secrets sealed
   * outside the document exist only in their current form, and the document must not show another one.
   */
  readonly kept?: (current: string | undefined, older: string) => { body: string; words: string };
  /** Why an older state must not replace the current one, in German; undefined if it may. */
  readonly refusal?: (current: string | undefined, older: string) => string | undefined;
};

/** How the history of a list is described whose entries can be brought back alone. */
type PartHistory = Omit<SubjectHistory, 'withPart'> & {
  /** The current body with one part of an older body put back in its position; undefined if the older body lacks it. */
  readonly withPart: (older: string, current: string | undefined, part: string) => string | undefined;
};

/** How two states are compared that `read` makes of their bodies. */
const comparedBy = <D>(
  read: (body: string | undefined) => D,
  sentences: (before: D, after: D) => string[],
): Pick<SubjectHistory, 'changes' | 'same'> => ({
  changes: (before, after) => sentences(read(before), read(after)),
  same: (before, after) => isDeepStrictEqual(read(before), read(after)),
});
const sameText = (before: string | undefined, after: string) => before === after;

const ConstructionRows = z.array(ConstructionRow);
const Mappings = z.array(Mapping);
const CategoryRows = z.array(CategoryRow);
const MappingRows = z.array(MappingRow);

const rulesOf = (body: string | undefined): Rule[] => (body === undefined ? [] : Rules.parse(JSON.parse(body)));
const rowsOf = (body: string | undefined): ConstructionRow[] =>
  body === undefined ? [] : ConstructionRows.parse(JSON.parse(body));
const attributesOf = (body: string | undefined): AttributeValue[] =>
  body === undefined ? [] : AttributeValues.parse(JSON.parse(body));
const differenceOf = (body: string | undefined): DifferenceSettings =>
  DifferenceSettings.parse(body === undefined ? {} : JSON.parse(body));
const scheduleOf = (body: string | undefined): ScheduleSettings =>
  ScheduleSettings.parse(body === undefined ? {} : JSON.parse(body));
const scheduleHistory: SubjectHistory = {
  ...comparedBy(scheduleOf, scheduleChanges),
  removed: () => [],
  kept: (current, older) => {
    const { source } = scheduleOf(current);
    const then = scheduleOf(older);
    return then.source === source
      ? { body: older, words: '' }
      : {
          body: JSON.stringify({ ...then, source }),
          words: '; die Adresse blieb die heutige, eine frühere ist neu einzugeben',
        };
  },
};
const stockOf = (body: string | undefined): StockSettings =>
  StockSettings.parse(body === undefined ? {} : JSON.parse(body));
const uploadOf = (body: string | undefined): UploadSettings =>
  UploadSettings.parse(body === undefined ? {} : JSON.parse(body));
/** A password is sent only to the server and user for which it was entered, whatever is restored. */
const otherSignIn = (current: UploadSettings, older: UploadSettings): string =>
  !older.active || (current.host === older.host && current.port === older.port && current.user === older.user)
    ? ''
    : '; das gespeicherte Passwort gilt nur für den Server und Benutzer, zu denen es zuletzt eingegeben wurde';
const columnsOf = (body: string | undefined): ColumnSettings =>
  body === undefined ? { hidden: [], notes: [] } : ColumnSettings.parse(JSON.parse(body));

const pricingOf = (body: string | undefined): RepricerRule[] =>
  body === undefined ? [] : RepricerRules.parse(JSON.parse(body));

const safetyOf = (body: string | undefined): PriceSafety =>
  body === undefined ? normalSafety : (PriceSafety.safeParse(JSON.parse(body)).data ?? normalSafety);

const mappingsOf = (body: string | undefined): Mapping[] =>
  body === undefined ? [] : Mappings.parse(JSON.parse(body));
const categoriesOf = (body: string | undefined): CategoryRow[] =>
  body === undefined ? [] : CategoryRows.parse(JSON.parse(body));
const mappingRowsOf = (body: string | undefined): MappingRow[] =>
  body === undefined ? [] : MappingRows.parse(JSON.parse(body));

const tableHistory: SubjectHistory = {
  ...comparedBy(mappingRowsOf, rowChanges),
  removed: () => [],
};
const listHistory: SubjectHistory = {
  same: sameText,
  changes: (before, after) =>
    targetListChanges(
      before === undefined ? undefined : TargetList.parse(JSON.parse(before)),
      TargetList.parse(JSON.parse(after)),
    ),
  removed: () => [],
};

/** One definition for each subject. */
export const subjectHistories: Readonly<
  Record<Exclude<DocumentSubject, SubjectWithParts>, SubjectHistory> & Record<SubjectWithParts, PartHistory>
> = {
  rules: {
    ...comparedBy(rulesOf, ruleListChanges),
    removed: (before, after) =>
      removed(rulesOf(before), rulesOf(after)).map((rule) => ({ id: rule.id, name: ruleName(rule) })),
    withPart: (older, current, part) => putBack(rulesOf(older), rulesOf(current), part, RULE_LIMITS.rules),
  },
  construction: {
    ...comparedBy(rowsOf, constructionChanges),
    removed: (before, after) =>
      removed(rowsOf(before), rowsOf(after)).map(({ id, exportfield }) => ({
        id,
        name: `Exportfeld „${exportfield}“`,
      })),
    withPart: (older, current, part) => putBack(rowsOf(older), rowsOf(current), part, MOST_ROWS),
  },
  attributes: {
    ...comparedBy(attributesOf, attributeChanges),
    removed: () => [],
  },
  settings: {
    same: sameText,
    changes: (before, after) =>
      settingsChanges(
        before === undefined ? undefined : ExportSettings.parse(JSON.parse(before)),
        ExportSettings.parse(JSON.parse(after)),
      ),
    removed: () => [],
  },
  difference: {
    ...comparedBy(differenceOf, differenceChanges),
    removed: () => [],
  },
  releases: {
    same: sameText,
    changes: (_before, after) => {
      const { what, reason } = Release.parse(JSON.parse(after));
      return [`${what}. Begründung: ${reason}`];
    },
    removed: () => [],
  },
  stock: {
    ...comparedBy(stockOf, stockChanges),
    removed: () => [],
  },
  schedule: scheduleHistory,
  stock_schedule: scheduleHistory,
  upload: {
    ...comparedBy(uploadOf, uploadChanges),
    removed: () => [],
    kept: (current, older) => ({ body: older, words: otherSignIn(uploadOf(current), uploadOf(older)) }),
  },
  columns: {
    ...comparedBy(columnsOf, columnChanges),
    removed: () => [],
  },
  mappings: {
    ...comparedBy(mappingsOf, mappingChanges),
    removed: (before, after) =>
      removed(mappingsOf(before), mappingsOf(after)).map(({ id, name }) => ({ id, name: `Mapping „${name}“` })),
    withPart: (older, current, part) =>
      putBack(mappingsOf(older), mappingsOf(current), part, ASSIGNMENT_LIMITS.mappings),
  },
  categories: {
    ...comparedBy(categoriesOf, rowChanges),
    removed: () => [],
  },
  brands: tableHistory,
  colors: tableHistory,
  category_targets: listHistory,
  brand_targets: listHistory,
  color_targets: listHistory,
  repricer: {
    ...comparedBy(pricingOf, repricerRuleChanges),
    removed: (before, after) =>
      removed(pricingOf(before), pricingOf(after)).map(({ id, name }) => ({ id, name: `Repricing-Regel „${name}“` })),
    withPart: (older, current, part) => putBack(pricingOf(older), pricingOf(current), part, REPRICER_LIMITS.rules),
  },
  price_safety: {
    ...comparedBy(safetyOf, (before, after) => safetyChanges(before, after).map((change) => `${change}.`)),
    removed: () => [],
    // Setting these figures requires a reason; restoring must not bypass that.
    refusal: (current, older) =>
      PriceSafety.safeParse(JSON.parse(older)).success && lessSafe(safetyOf(current), safetyOf(older)).length === 0
        ? undefined
        : 'Dieser Stand sichert Ihre Preise weniger als der heutige. Bitte stellen Sie die Werte beim Repricer unter „Sicherungen einstellen“ mit einem Grund ein. Es wurde nichts geändert.',
  },
};

function removed<T extends { id: string }>(before: readonly T[], after: readonly T[]): T[] {
  const presentIds = new Set(after.map(({ id }) => id));
  return before.filter(({ id }) => !presentIds.has(id));
}

/**
 * @throws 409 if the list has this part again: its older version would replace changes made since; 422 if the list would have
 * more than `most` entries: it could then no longer be read
 */
function putBack<T extends { id: string }>(
  older: readonly T[],
  current: readonly T[],
  part: string,
  most: number,
): string | undefined {
  if (current.some(({ id }) => id === part))
    throw new KontorError(
      409,
      'part_exists',
      'Das Gelöschte gibt es heute wieder. Es wurde nichts zurückgeholt, damit spätere Änderungen daran nicht verloren gehen. Die frühere Fassung bekommen Sie, wenn Sie den ganzen Stand wiederherstellen.',
    );
  const list = withPartBack(older, current, part);
  if (list !== undefined && list.length > most)
    throw unprocessable(
      'list_full',
      `Die heutige Liste hat schon ${integerText(most)} Einträge, mehr sind nicht möglich. Löschen Sie zuerst einen davon. Es wurde nichts zurückgeholt.`,
    );
  return list === undefined ? undefined : JSON.stringify(list);
}

function columnChanges(before: ColumnSettings, after: ColumnSettings): string[] {
  const names = (list: readonly string[]) => list.map((name) => quoted(name)).join(', ');
  const hidden = after.hidden.filter((name) => !before.hidden.includes(name));
  const shown = before.hidden.filter((name) => !after.hidden.includes(name));
  return [
    ...(hidden.length > 0 ? [`Ausgeblendet: ${names(hidden)}.`] : []),
    ...(shown.length > 0 ? [`Eingeblendet: ${names(shown)}.`] : []),
    ...noteChanges(before.notes, after.notes),
  ];
}

/** HDR-08: notes on fields that were written, changed or removed. */
function noteChanges(before: ColumnSettings['notes'], after: ColumnSettings['notes']): string[] {
  const was = new Map(before.map(({ name, note }) => [name, note]));
  const now = new Set(after.map(({ name }) => name));
  const written = after.flatMap(({ name, note }) => {
    const old = was.get(name);
    if (old === note) return [];
    return `Notiz zu ${quoted(name)}: „${note}“${old === undefined ? '' : ` (vorher „${old}“)`}.`;
  });
  const removedRows = before.filter(({ name }) => !now.has(name));
  return [...written, ...removedRows.map(({ name, note }) => `Notiz zu ${quoted(name)}: entfernt (vorher „${note}“).`)];
}
