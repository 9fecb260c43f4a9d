import { Button, NativeSelect, TextInput } from '@mantine/core';
import IconClipboardText from 'virtual:icons/clipboard-text';
import IconDownload from 'virtual:icons/download';
import IconListSearch from 'virtual:icons/list-search';
import IconPlus from 'virtual:icons/plus';
import IconSortAscendingLetters from 'virtual:icons/sort-ascending-letters';
import IconSparkles from 'virtual:icons/sparkles';
import { type ReactNode, useMemo } from 'react';
import { csvName } from '#shared/items/csv-name.ts';
import { downloadText } from '#client/csv-download.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import classes from './assignments.module.css';
import {
  hasState,
  type Line,
  type LineFacts,
  lineStateNames,
  lineStates,
} from '#client/fields/assignments/lines/lines.ts';
import { csvOf } from '#client/fields/assignments/dialogs/paste.ts';
import type { Suggestions } from '#client/fields/assignments/lines/use-suggestions.ts';
import type { LinesView } from '#client/fields/assignments/lines/use-view.ts';

export type EditorWords = {
  /** „Kategoriezuordnungen“ */
  label: string;
  /** „Weise Kategorie zu“ */
  targetName: string;
  add: string;
  fetch: string;
  save: string;
  /** Parts of the file name for the export of all rows. */
  file: readonly string[];
  /** Why no target can be chosen. */
  noTargets: string;
};

type EditToolsProps = {
  disabled: boolean;
  words: EditorWords;
  /** Number of rows that have a suggestion. */
  offered: number;
  suggestions: Suggestions;
  onAdd: () => void;
  onFetch: () => void;
  onPaste: () => void;
  onAccept: () => void;
  /** CAT-03: undefined if rows are not sorted by value. */
  onSort: (() => void) | undefined;
};

/** Buttons that add rows and that suggest targets. */
export function EditTools(props: EditToolsProps) {
  const { disabled, words, offered, suggestions, onAdd, onFetch, onPaste, onAccept, onSort } = props;
  return (
    <>
      <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={disabled} onClick={onAdd}>
        {words.add}
      </Button>
      <Button size="xs" variant="default" disabled={disabled} onClick={onFetch}>
        {words.fetch}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconClipboardText size={14} aria-hidden />}
        disabled={disabled}
        onClick={onPaste}
      >
        Einfügen
      </Button>
      {onSort !== undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconSortAscendingLetters size={14} aria-hidden />}
          disabled={disabled}
          onClick={onSort}
        >
          Nach Feld sortieren
        </Button>
      )}
      {offered > 0 && (
        <Button size="xs" variant="light" leftSection={<IconSparkles size={14} aria-hidden />} onClick={onAccept}>
          {formatCount(offered, 'Vorschlag', 'Vorschläge')} ansehen
        </Button>
      )}
      <SuggestionNote suggestions={suggestions} />
    </>
  );
}

/** Suggestions are optional: searching and failures are only noted discreetly. */
function SuggestionNote({ suggestions: { busy, failure, retry } }: { suggestions: Suggestions }) {
  return (
    <span role="status" className={`k-muted k-small ${classes.note}`}>
      {busy && 'Vorschläge werden gesucht …'}
      {failure !== null && (
        <>
          Die Vorschläge ließen sich nicht laden: {failure.message}{' '}
          <Button size="compact-xs" variant="subtle" onClick={retry}>
            Erneut versuchen
          </Button>
        </>
      )}
    </span>
  );
}

type ShowToolsProps = {
  disabled: boolean;
  lines: readonly Line[];
  facts: LineFacts;
  words: EditorWords;
  view: LinesView<Line>;
  opened: boolean;
  onOpened: (opened: boolean) => void;
  /** The menu of saved views. */
  views: ReactNode;
};

/** Filters the rows, and opens the list of items that no row assigns. */
export function ShowTools({ disabled, lines, facts, words, view, opened, onOpened, views }: ShowToolsProps) {
  const { state, search, look } = view;
  const options = useMemo(
    () =>
      lineStateNames.map((value) => {
        const count = lines.filter((line) => hasState(line, value, facts)).length;
        return { value, label: `${lineStates[value]} (${formatInteger(count)})` };
      }),
    [lines, facts],
  );
  return (
    <div className={classes.tools}>
      <TextInput
        size="xs"
        className={classes.search}
        aria-label="In den Zeilen suchen"
        placeholder="In den Zeilen suchen"
        disabled={disabled}
        value={search}
        onChange={({ currentTarget }) => look(state, currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Welche Zeilen"
        disabled={disabled}
        value={state}
        onChange={({ currentTarget: { value } }) => look(lineStateNames.find((one) => one === value) ?? 'all', search)}
        data={options}
      />
      {views}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        disabled={disabled || lines.length === 0}
        onClick={() => downloadText(csvName(...words.file), csvOf(lines, words.targetName))}
      >
        Als CSV exportieren
      </Button>
      <Button
        size="xs"
        variant={opened ? 'light' : 'default'}
        leftSection={<IconListSearch size={14} aria-hidden />}
        aria-expanded={opened}
        disabled={disabled}
        onClick={() => onOpened(!opened)}
      >
        Artikel ohne Ziel
      </Button>
    </div>
  );
}
