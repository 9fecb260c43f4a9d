import type { TargetEntry } from '#shared/targets/schema.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import type { SelectableField, Suggested } from '#client/fields/assignments/lines/choices.ts';
import { FetchDialog } from './fetch-dialog.tsx';
import type { Line } from '#client/fields/assignments/lines/lines.ts';
import { PasteDialog } from './paste-dialog.tsx';
import type { Append } from '#client/fields/assignments/lines/use-append.ts';
import type { TableOf } from '#client/fields/assignments/lines/use-counts.ts';
import type { LinesForm } from '#client/fields/assignments/lines/use-lines.ts';

export type Dialog = 'fetch' | 'paste' | 'accept' | null;

type DialogsProps<L extends Line> = {
  dialog: Dialog;
  form: LinesForm<L>;
  table: TableOf;
  masterid: string;
  fields: readonly SelectableField[];
  targets: readonly TargetEntry[] | null;
  takeOver?: boolean;
  append: Append<L>;
  suggestionsOf: (line: L) => readonly Suggested[];
  onClose: () => void;
};

/** Renders the open dialog, if any. */
export function Dialogs<L extends Line>({ dialog, append, suggestionsOf, onClose, ...editor }: DialogsProps<L>) {
  const { lines, setLines } = editor.form;
  switch (dialog) {
    case 'fetch':
      return (
        <FetchDialog
          id={editor.table.id}
          masterid={editor.masterid}
          lines={lines}
          fields={editor.fields}
          takeOver={editor.takeOver === true}
          onFetched={append.fetched}
          onClose={onClose}
        />
      );
    case 'paste':
      return (
        <PasteDialog
          fields={editor.fields}
          targets={editor.targets}
          lines={lines}
          onRows={(rows) => {
            append.pasted(rows);
            onClose();
          }}
          onClose={onClose}
        />
      );
    case 'accept':
      return <AcceptDialog lines={lines} suggestionsOf={suggestionsOf} onLines={setLines} onClose={onClose} />;
    case null:
      return null;
  }
}
