import { useMemo } from 'react';
import { shadowedRows } from '#shared/assignments/check.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import type { PickerGroup } from '#client/fields/values/picker-groups.ts';
import { goneFields } from './gone-fields.ts';
import type { Line, LineFacts } from './lines.ts';
import type { Counts } from './use-counts.ts';

/** Computes facts about the rows beyond their content. `lines` may lag behind the form: this reads all of them. */
export function useLineFacts(
  lines: readonly Line[],
  targets: readonly TargetEntry[] | null,
  counts: Counts,
  sources: readonly PickerGroup[],
): LineFacts {
  const known = useMemo(
    () => (targets === null || targets.length === 0 ? null : new Map(targets.map(({ id, name }) => [id, name]))),
    [targets],
  );
  const shadowed = useMemo(() => new Map(shadowedRows(lines).map(({ id, by }) => [id, by])), [lines]);
  const gone = useMemo(() => goneFields(lines, sources), [lines, sources]);
  const rows = counts.answer?.rows ?? null;
  return useMemo(() => ({ counts: rows, shadowed, known, gone }), [rows, shadowed, known, gone]);
}
