import type { ChannelTemplate } from '#shared/channels/schema.ts';
import {
  ConstructionRow,
  type ConstructionRowSave,
  type ConstructionTemplate,
  usedEntries,
} from '#shared/construction/schema.ts';
import { templateRow } from '#shared/channels/template-row.ts';

/** The initial rows of a new export of the channel: all required and recommended fields. */
export function templateRows({ fields }: ChannelTemplate, newId: () => string): ConstructionRow[] {
  return fields
    .filter(({ requirement }) => requirement === 'Required' || requirement === 'Recommended')
    .map((field) => templateRow(field, newId()));
}

/** The part of a template that the editor receives. */
export function templateForEditor(template: ChannelTemplate): ConstructionTemplate {
  const { channel, name, fixedHeader, categories, notes, groups, fields } = template;
  return { channel, name, fixedHeader, categories, notes, groups, fields };
}

/**
 * CON-07: the rows to store. A property missing in a save stays as stored under the row's id. If the stored kind would drop some
 * of the new values, the values determine the kind. The priority in the variant with tabs follows the state.
 */
export function mergedRows(
  stored: readonly ConstructionRow[],
  saved: readonly ConstructionRowSave[],
): ConstructionRow[] {
  const byId = new Map(stored.map((row) => [row.id, row]));
  return saved.map((row) => {
    const defined = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
    const before = byId.get(row.id);
    const merged = ConstructionRow.parse({ ...before, priority: row.mp_state, ...defined });
    const drops = row.valuetype === undefined && usedEntries(merged).length < merged.field.length;
    const isNew = JSON.stringify(before?.field) !== JSON.stringify(merged.field);
    return drops && isNew ? { ...merged, valuetype: undefined } : merged;
  });
}
