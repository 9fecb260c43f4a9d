import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx';
import type { HeaderChange } from './header-change.ts';
import { formatInteger } from '#client/ui/text/formats.ts';

type HeaderDialogProps = {
  change: HeaderChange | null;
  channel: string;
  onAnswer: (save: boolean) => void;
};

/** Asks before the header changes for a channel that has learned it once. */
export function HeaderDialog({ change, channel, onAnswer }: HeaderDialogProps) {
  return (
    <ConfirmDialog
      opened={change !== null}
      question="Geänderte Kopfzeile speichern?"
      confirm="Trotzdem speichern"
      onConfirm={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      <p>
        Hat {channel} die letzte Datei schon eingelesen, so kennt der Kanal die bisherigen Spalten. Teilen Sie ihm dann
        die Änderung mit, sonst liest er Werte falsch oder lehnt die nächste Datei ab.
      </p>
      {change !== null && <HeaderWords change={change} />}
    </ConfirmDialog>
  );
}

/** Which columns are new, removed or moved. */
export function HeaderWords({ change: { added, gone, moved } }: { change: HeaderChange }) {
  return (
    <ul>
      {added.length > 0 && <li>Neu: {listOf(added)}</li>}
      {gone.length > 0 && <li>Entfällt: {listOf(gone)}</li>}
      {moved.length > 0 && <li>An anderer Stelle: {listOf(moved)}</li>}
    </ul>
  );
}

const shown = 12;

const listOf = (names: readonly string[]): string =>
  names.length > shown
    ? `${names.slice(0, shown).join(', ')} und ${formatInteger(names.length - shown)} weitere`
    : names.join(', ');
