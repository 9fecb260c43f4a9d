import { useState } from 'react';
import type { ChannelField } from '#shared/channels/schema.ts';
import type { ConstructionRow, ConstructionTemplate } from '#shared/construction/schema.ts';
import { useFields } from '#client/fields/values/fields-context.tsx';
import { newRowIds } from '#client/fields/values/new-id.ts';
import { templateRow } from '#shared/channels/template-row.ts';
import { fieldsByName, groupOf, inTemplateOrder, withField, withOrder } from '#client/screens/construction/groups.ts';
import { newRow, unusedFields } from './rows.ts';
import { type Offer, withOffer } from '#client/screens/construction/suggestions/suggestions.ts';

type UseRows = {
  rows: readonly ConstructionRow[];
  template: ConstructionTemplate | null;
  onRows: (rows: readonly ConstructionRow[]) => void;
  /** Called with the new group of a row that the user edits. */
  onGroup: (group: string) => void;
};

/** The actions on the rows of a construction, in either view. */
export function useRows({ rows, template, onRows, onGroup }: UseRows) {
  const { fields } = useFields();
  /** The row whose name takes the focus; only once, not again whenever its tab is opened. */
  const [added, setAdded] = useState('');
  const byName = fieldsByName(template);
  const { held, onNaming } = useNaming(byName, { rows, onRows, onGroup, onEnd: () => setAdded('') });
  const unused = unusedFields(rows, fields);
  const usedIds = rows.map(({ id }) => id);
  const idsFor = (count: number) => newRowIds(usedIds, count, Date.now());

  const put = (row: ConstructionRow) => {
    const old = rows.find(({ id }) => id === row.id);
    onRows(rows.map((other) => (other === old ? row : other)));
    const group = groupOf(row, byName);
    if (old !== undefined && held?.id !== row.id && groupOf(old, byName) !== group) onGroup(group);
  };
  const add = () => {
    const [id = ''] = idsFor(1);
    const row = newRow(id);
    setAdded(id);
    onRows([...rows, row]);
    onGroup(groupOf(row, byName));
  };
  const addAll = () => {
    const ids = idsFor(unused.length);
    onRows([...rows, ...unused.map(({ value }, index) => newRow(ids[index] ?? '', value))]);
  };
  /** Adds rows for template fields; `fill` sets their values. */
  const addFields = (wanted: readonly ChannelField[], fill = (row: ConstructionRow) => row) => {
    if (template === null) return;
    const ids = idsFor(wanted.length);
    onRows(
      wanted.reduce(
        (list, field, index) => withField(list, template, fill(templateRow(field, ids[index] ?? ''))),
        rows,
      ),
    );
    const [first] = wanted;
    if (first !== undefined) onGroup(first.group);
  };
  const addOffers = (offers: readonly Offer[]) => {
    const byName = new Map(offers.map((offer) => [offer.row.exportfield, offer]));
    const wanted = template?.fields.filter(({ name }) => byName.has(name)) ?? [];
    addFields(wanted, (row) => withOffer(row, byName.get(row.exportfield) ?? { found: [] }));
  };
  /** Replaces rows that were changed elsewhere, in one undo step. */
  const putAll = (changed: readonly ConstructionRow[]) => {
    const byId = new Map(changed.map((row) => [row.id, row]));
    onRows(rows.map((row) => byId.get(row.id) ?? row));
  };
  const actions = {
    put,
    putAll,
    add,
    addAll,
    addFields,
    addOffers,
    onNaming,
    remove: (row: ConstructionRow) => onRows(rows.filter(({ id }) => id !== row.id)),
    order: (group: readonly ConstructionRow[]) => onRows(withOrder(rows, group)),
    resetOrder: () => template !== null && onRows(inTemplateOrder(rows, template)),
  };
  return { ...actions, byName, unused, added, held };
}
export type RowActions = ReturnType<typeof useRows>;

type Naming = { id: string; group: string };

/** A name that the template knows takes over its definition and moves the row into its group, but only after typing has ended. */
function useNaming(
  byName: ReadonlyMap<string, ChannelField>,
  { rows, onRows, onGroup, onEnd }: Omit<UseRows, 'template'> & { onEnd: () => void },
) {
  const [held, setHeld] = useState<Naming | null>(null);
  const onNaming = (row: ConstructionRow, typing: boolean) => {
    if (typing) {
      setHeld({ id: row.id, group: groupOf(row, byName) });
      return;
    }
    setHeld(null);
    onEnd();
    const field = byName.get(row.exportfield);
    if (field === undefined) return;
    const known = withFacts(row, field);
    if (known !== row) onRows(rows.map((other) => (other.id === row.id ? known : other)));
    onGroup(field.group);
  };
  return { held, onNaming };
}

function withFacts(row: ConstructionRow, field: ChannelField): ConstructionRow {
  const { title, requirement, description } = field;
  if (row.fieldCaption === title) return row;
  return { ...row, fieldCaption: title, mp_state: requirement, priority: requirement, description };
}
