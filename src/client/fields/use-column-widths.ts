import { useMemo } from 'react';
import { type PreferenceName, usePreference } from '#client/preferences.ts';
import { type ColumnWidths, readWidths, withWidth, writeWidths } from '#client/ui/grid/column-widths.ts';

type WithWidths = Extract<PreferenceName, 'assignmentColumns' | 'constructionColumns'>;

/** Column widths that the user chose for a kind of table, stored in this browser. */
export function useColumnWidths(name: WithWidths): [ColumnWidths, (id: string, width: number | null) => void] {
  const [text, setText] = usePreference(name);
  const widths = useMemo(() => readWidths(text), [text]);
  return [widths, (id, width) => setText(writeWidths(withWidth(widths, id, width)))];
}
