import { Button, Modal, NativeSelect, Textarea } from '@mantine/core';
import { type SyntheticEvent, useRef, useState } from 'react';
import { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import { carriers } from '#shared/orders/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { UnsavedGuard } from '#client/leaving/unsaved-guard.tsx';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useNextFocus } from '#client/ui/focus/use-next-focus.ts';
import { TableFileNotes } from '#client/fields/table-file/table-file-notes.tsx';
import { useChosenTable } from '#client/fields/table-file/use-chosen-table.ts';
import { tableFiles } from '#client/sending/read-table-file.ts';
import { useMissing } from '#client/ui/form/use-missing.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { useOnce } from '#client/ui/use-once.ts';
import { TrackingTable } from './tracking-table.tsx';
import { useShipping } from './use-shipping.ts';

type TrackingImportProps = { opened: boolean; onDone: () => void; onClose: () => void };
type Checked = AnswerOf<typeof api.checkTracking>;

/** Tracking numbers pasted or from a file: first a preview for each row, then the report. */
export function TrackingImport({ opened, onDone, onClose }: TrackingImportProps) {
  const [text, setText] = useState('');
  const [carrier, setCarrier] = useState('');
  const [checked, setChecked] = useState<Checked | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const shipping = useShipping(onDone);
  const table = useMissing(text.trim() === '' ? 'Bitte eine Tabelle einfügen oder eine Datei wählen.' : '');
  const report = useMissing(checked?.parcels.length === 0 ? 'Keine dieser Zeilen lässt sich melden.' : '');
  const { pressed, next } = useNextFocus(!shipping.busy && shipping.results.size > 0);
  const file = useRef<HTMLInputElement>(null);
  const { busy, start } = useOnce(async () => {
    setFailure(null);
    shipping.forget();
    try {
      setChecked(await call(api.checkTracking, { body: { text, carrier } }));
    } catch (error) {
      setFailure(failureOf('Fehler beim Laden der Daten:', error));
    }
  });
  // The check no longer matches what would be sent.
  const edit = (change: () => void) => {
    change();
    setChecked(null);
    shipping.forget();
  };
  const chosenFile = useChosenTable((read) => edit(() => setText(read)));
  const readFile = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    await chosenFile.take(chosen);
    // Otherwise the same file could not be chosen again.
    if (file.current !== null) file.current.value = '';
  };
  const clear = () => {
    void chosenFile.take(null);
    edit(() => setText(''));
  };
  const check = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() !== '') start();
  };
  return (
    <>
      {/* Pasted text is kept while the dialog is closed. */}
      <UnsavedGuard dirty={text.trim() !== '' && shipping.results.size === 0} />
      <Modal
        opened={opened}
        onClose={onClose}
        size="min(960px, 100vw)"
        title={<span className="k-strong">Sendungsnummern einlesen</span>}
      >
        <form className="k-stack" onSubmit={check} noValidate>
          <Textarea
            label="Tabelle"
            description="Je Zeile Bestellnummer, Sendungsnummer und Versanddienst, aus einer Tabelle kopiert oder als CSV- oder Excel-Datei. Mit einer Kopfzeile dürfen die Spalten in anderer Reihenfolge stehen; Artikelnummer und Menge sind dann auch möglich."
            data-autofocus
            minRows={4}
            maxRows={10}
            autosize
            spellCheck={false}
            styles={{ input: { fontFamily: 'ui-monospace, monospace', fontSize: 13 } }}
            value={text}
            readOnly={chosenFile.busy}
            onChange={({ currentTarget: { value } }) => {
              void chosenFile.take(null);
              edit(() => setText(value));
            }}
          />
          <div className="k-row" style={{ alignItems: 'flex-end' }}>
            <NativeSelect
              label="Versanddienst, wo keiner angegeben ist"
              value={carrier}
              onChange={({ currentTarget: { value } }) => edit(() => setCarrier(value))}
              data={[{ value: '', label: 'keiner' }, ...carriers]}
            />
            <input
              ref={file}
              type="file"
              accept={tableFiles}
              className="k-hidden"
              tabIndex={-1}
              aria-label="Datei mit Sendungsnummern"
              onChange={({ currentTarget }) => void readFile(currentTarget.files?.[0])}
            />
            <Button variant="default" loading={chosenFile.busy} onClick={() => file.current?.click()}>
              Datei wählen
            </Button>
            <Button type="submit" variant={checked === null ? 'filled' : 'default'} loading={busy} {...table.button}>
              Prüfen
            </Button>
          </div>
          {table.hint}
          <TableFileNotes chosen={chosenFile} />
          <ErrorNotice failure={failure} />
          {checked !== null && <TrackingTable rows={checked.rows} results={shipping.results} />}
          <ErrorNotice failure={shipping.failure} />
          {checked?.parcels.length === 0 && report.hint}
          {checked !== null && (
            <div className="k-row" style={{ justifyContent: 'flex-end' }}>
              {shipping.results.size > 0 && (
                <Button ref={next} variant="default" onClick={clear}>
                  Neue Tabelle
                </Button>
              )}
              <Button
                ref={pressed}
                loading={shipping.busy}
                {...report.button}
                disabled={report.button.disabled || shipping.results.size > 0}
                onClick={() => void shipping.send(checked.parcels)}
              >
                {formatCount(checked.parcels.length, 'Sendung', 'Sendungen')} melden
              </Button>
            </div>
          )}
        </form>
      </Modal>
    </>
  );
}
