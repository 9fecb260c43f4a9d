import { integerText } from '#shared/values/integer-text.ts';
import { ALL_ITEMS, constructedNames, type AttributeField, type AttributeValue } from '#shared/attributes/schema.ts';
import { sourceSentence } from '#shared/construction/difference.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import { isSource } from '#engine/ir/source-key.ts';
import { whenWords } from './when-words.ts';
import { type ExportPlan, passesThrough } from '#feed/plan/export-plan.ts';

/** The items that a list of attributes applies to; '' for any category or product type. */
export type Selection = { readonly typ: string; readonly cat: string };

/** Normalises a selection: `all` and '' both mean every item. */
export const selectionOf = ({ typ, cat }: Selection): Selection => ({
  typ: typ === ALL_ITEMS ? '' : typ,
  cat: cat === ALL_ITEMS ? '' : cat,
});

/**
 * Returns the columns of the list (ATT-01): the constructed ones, then, editable, those that the category's target list and the
 * channel's template require in addition, and any that already have a value. `constructed`: fields that take no attribute.
 */
export function attributeFields(
  plan: ExportPlan,
  selection: Selection,
  constructed: ReadonlySet<string>,
): AttributeField[] {
  const template = new Map((plan.template?.fields ?? []).map((field) => [field.name, field]));
  const entry = plan.tables.targets.categories.get(selection.cat);
  const wanted = new Set([
    ...(entry?.attributes ?? []).toSorted((one, other) => Number(other.required) - Number(one.required)).map(nameOf),
    ...[...template.values()].filter(isExpected).map(nameOf),
    ...plan.construction.map(({ exportfield }) => exportfield).filter((name) => name !== ''),
    ...plan.attributes.map(({ target }) => target),
  ]);
  const editable = [...wanted].filter((name) => !constructed.has(name));
  const rows = new Map(plan.construction.map((row) => [row.exportfield, row]));
  const field = (name: string, edit: 'true' | 'false'): AttributeField => {
    const known = template.get(name);
    const row = rows.get(name);
    const set = plan.attributes.find((value) => value.target === name && isFor(value, selection));
    const required = entry?.attributes?.find((attribute) => attribute.name === name)?.required === true;
    return {
      title: known?.title ?? (row?.fieldCaption || name),
      exportfield: name,
      description: [known?.description ?? row?.description ?? '', whenWords(known)].filter(Boolean).join('\n'),
      examples: known?.examples ?? [],
      mp_state: required ? 'Required' : (known?.requirement ?? row?.mp_state ?? ''),
      field: set?.value ?? [],
      inherited: inheritedWord(plan.attributes, name, selection),
      enums: known?.values.map(({ value }) => value) ?? [],
      is_variant_attribute: known === undefined || known.variant,
      variants: set?.variant ?? false,
      editable: edit,
    };
  };
  return [...[...constructed].map((name) => field(name, 'false')), ...editable.map((name) => field(name, 'true'))];
}

/** The fields that take no attribute: those with a source; without a construction, the fields of the items themselves. */
export function filledNames(plan: Pick<ExportPlan, 'construction'>, items: Relation): ReadonlySet<string> {
  if (!passesThrough(plan)) return constructedNames(plan.construction);
  return new Set([...items.columns.keys()].filter((key) => !isSource(key)));
}

/** The value inherited from the next wider selection, in the order in which a run applies them. */
function inheritedWord(values: readonly AttributeValue[], target: string, { typ, cat }: Selection): string {
  const wider = [
    { typ: '', cat },
    { typ, cat: '' },
    { typ: '', cat: '' },
  ].filter((one) => one.typ !== typ || one.cat !== cat);
  const found = wider.flatMap((one) => values.filter((value) => value.target === target && isFor(value, one)))[0];
  return found === undefined ? '' : sourceSentence({ field: found.value, valuetype: 'combine' });
}

/** Whether a field is expected of all items or of some; merely optional fields are listed once they have a value. */
const isExpected = (field: ChannelField) =>
  field.requirement === 'Required' || field.requirement === 'Recommended' || field.when.length > 0 || field.variant;
const nameOf = ({ name }: { name: string }) => name;
const isFor = (value: AttributeValue, { typ, cat }: Selection) => value.typ === typ && value.cat === cat;

/** Problems of a cell's values in the file, each checked alone, in German; [] if none is found. The full check: the diagnosis. */
export const cellProblems = (values: readonly string[], field: ChannelField | undefined): string[] =>
  field ? [...new Set(values.flatMap((value) => valueProblems(value, field)))] : [];

function valueProblems(text: string, field: ChannelField): string[] {
  if (text === '') return [];
  const problems: string[] = [];
  const letters = Array.from(text);
  if (field.maxLength !== undefined && letters.length > field.maxLength)
    problems.push(
      `„${letters.slice(0, 60).join('')}…“ hat ${integerText(letters.length)} Zeichen, erlaubt sind ${field.maxLength}.`,
    );
  if (field.values.length > 0 && !field.open && !field.values.some(({ value }) => value === text))
    problems.push(`„${text}“ ist kein Wert, den der Kanal kennt.`);
  return problems;
}

/** The display name of the selection. */
export function selectionName({ typ, cat }: Selection, categories: ReadonlyMap<string, TargetEntry>): string {
  if (cat !== '') return categories.get(cat)?.name ?? cat;
  return typ;
}
