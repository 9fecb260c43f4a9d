import { Button, NativeSelect, TextInput } from '@mantine/core';
import {
  IconClipboardText,
  IconDownload,
  IconListSearch,
  IconPlus,
  IconSortAscendingLetters,
  IconSparkles,
} from '@tabler/icons-react';
import { downloadText } from '../../csv-download.ts';
import { formatCount, formatInteger } from '../../ui/formats.ts';
import classes from './assignments.module.css';
import { hasState, type Line, type LineFacts, type LineState, lineStateNames, lineStates } from './lines.ts';
import { csvOf } from './paste.ts';

export type EditorWords = {
  /** „Kategoriezuordnungen“ */
  label: string;
  /** „Weise Kategorie zu“ */
  targetName: string;
  add: string;
  fetch: string;
  save: string;
  /** File name without ending. */
  file: string;
};

type EditToolsProps = {
  words: EditorWords;
  /** Rows that have a suggestion. */
  offered: number;
  onAdd: () => void;
  onFetch: () => void;
  onPaste: () => void;
  onAccept: () => void;
  /** CAT-03: absent where rows are not sorted by value. */
  onSort: (() => void) | undefined;
};

/** What makes rows. */

export function EditTools({ words, offered, onAdd, onFetch, onPaste, onAccept, onSort }: EditToolsProps) {
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onAdd}>
        {words.add}
      </Button>
      <Button variant="default" onClick={onFetch}>
        {words.fetch}
      </Button>
      <Button variant="default" leftSection={<IconClipboardText size={16} aria-hidden />} onClick={onPaste}>
        Einfügen
      </Button>
      {onSort !== undefined && (
        <Button variant="default" leftSection={<IconSortAscendingLetters size={16} aria-hidden />} onClick={onSort}>
          Nach Feld sortieren
        </Button>
      )}
      {offered > 0 && (
        <Button variant="light" leftSection={<IconSparkles size={16} aria-hidden />} onClick={onAccept}>
          {formatCount(offered, 'Vorschlag', 'Vorschläge')} ansehen
        </Button>
      )}
    </>
  );
}

type ShowToolsProps = {
  lines: readonly Line[];
  facts: LineFacts;
  words: EditorWords;
  search: string;
  state: LineState;
  opened: boolean;
  onSearch: (text: string) => void;
  onState: (state: LineState) => void;
  onOpened: (opened: boolean) => void;
};

/** Which rows are shown, and the items that none of them serves. */
export function ShowTools({ lines, facts, words, search, state, opened, onSearch, onState, onOpened }: ShowToolsProps) {
  const count = (wanted: LineState) => lines.filter((line) => hasState(line, wanted, facts)).length;
  return (
    <div className={classes.tools}>
      <TextInput
        className={classes.search}
        aria-label="In den Zeilen suchen"
        placeholder="In den Zeilen suchen"
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <NativeSelect
        aria-label="Welche Zeilen"
        value={state}
        onChange={({ currentTarget: { value } }) => onState(lineStateNames.find((one) => one === value) ?? 'all')}
        data={lineStateNames.map((value) => ({
          value,
          label: `${lineStates[value]} (${formatInteger(count(value))})`,
        }))}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={lines.length === 0}
        onClick={() => downloadText(`${words.file}.csv`, csvOf(lines, words.targetName))}
      >
        Als CSV exportieren
      </Button>
      <Button
        variant={opened ? 'light' : 'default'}
        leftSection={<IconListSearch size={16} aria-hidden />}
        aria-expanded={opened}
        onClick={() => onOpened(!opened)}
      >
        Artikel ohne Ziel
      </Button>
    </div>
  );
}
