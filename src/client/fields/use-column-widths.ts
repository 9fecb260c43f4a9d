import { useMemo } from 'react';
import { type PreferenceName, usePreference } from '#client/preferences.ts';
import { type ColumnWidths, readWidths, withWidth, writeWidths } from '#client/ui/grid/column-widths.ts';

type WithWidths = Extract<PreferenceName, 'assignmentColumns' | 'constructionColumns'>;

/** The widths that somebody gave the columns of a kind of table, remembered in this browser. */
export function useColumnWidths(name: WithWidths): [ColumnWidths, (id: string, width: number | null) => void] {
  const [text, setText] = usePreference(name);
  const widths = useMemo(() => readWidths(text), [text]);
  return [widths, (id, width) => setText(writeWidths(withWidth(widths, id, width)))];
}
