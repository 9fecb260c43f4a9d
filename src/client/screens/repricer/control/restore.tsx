import { Alert, Button, Textarea, TextInput } from '@mantine/core';
import IconHistory from 'virtual:icons/history';
import { type SyntheticEvent, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { api } from '#shared/http/api.ts';
import { instantOfText, wallText } from '#shared/schedule/due-times.ts';
import type { RestorePreview } from '#shared/repricer/state.ts';
import { call } from '#client/call.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';
import { useMarketplaceCurrency } from '#client/marketplaces.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog, useTellDirty } from '#client/ui/form-dialog.tsx';
import { moneyText } from '#shared/values/money-text.ts';
import { formatCount, formatInteger, formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { useLive } from '#client/use-live.ts';
import classes from './control.module.css';
import { useDialogAction } from './use-dialog-action.ts';
import type { Switches } from './use-switches.ts';

/** Says that good prices are kept, and lets the rules decide again. */
export function RestoreNotice({ switches, mayEdit }: { switches: Switches; mayEdit: boolean }) {
  const { restore } = switches.state;
  if (restore === null) return null;
  return (
    <Alert
      role="status"
      variant="outline"
      color="yellow.9"
      icon={<IconHistory aria-hidden />}
      title={`Letzte gute Preise: Stand vor dem ${formatTime(restore.moment)}`}
      classNames={{
        root: classes.notice,
        title: classes.noticetext,
        icon: classes.noticetext,
        message: classes.noticetext,
      }}
    >
      <p>
        {restore.author} stellt sie seit {formatTime(restore.startedAt)} wieder her und hält sie: {restore.reason}
      </p>
      <p>Die Regeln geben solange nur die Grenzen. Berichtigen Sie, was falsch war, und beenden Sie dann.</p>
      {mayEdit && (
        <Button
          size="xs"
          variant="default"
          style={{ marginTop: 8 }}
          loading={switches.busy}
          onClick={() => void switches.endRestore()}
        >
          Beenden: Regeln entscheiden wieder
        </Button>
      )}
    </Alert>
  );
}

type RestoreDialogProps = {
  masterid: string;
  opened: boolean;
  /** Time when the breaker tripped, offered as the moment; null: none tripped. */
  before: string | null;
  switches: Switches;
  onClose: () => void;
};

/** Asks for the moment and the reason, and previews what would change. */
export function RestoreDialog(props: RestoreDialogProps) {
  const { opened, onClose } = props;
  const [dirty, setDirty] = useState(false);
  return (
    <FormDialog opened={opened} dirty={dirty} onClose={onClose} size="lg" title="Letzte gute Preise wiederherstellen?">
      <Form {...props} onDirty={setDirty} />
    </FormDialog>
  );
}

const hourMs = 60 * 60_000;
/** A text, because the browser's own date-time field uses the language and time zone of the visitor's machine. */
const germanText = (moment: Date): string =>
  wallText(moment).replace(
    /^(\d+)-(\d+)-(\d+)T(.*)$/,
    (_all, year, month, day, time) => `${day}.${month}.${year}, ${time}`,
  );
const germanMoment = (text: string): Date | undefined => {
  const [, day = '', month = '', year = '', hour = '', minute = ''] =
    /^\s*(\d{1,2})\.(\d{1,2})\.(\d{4}),?\s+(\d{1,2}):(\d{2})\s*$/.exec(text) ?? [];
  const two = (digits: string) => digits.padStart(2, '0');
  return instantOfText(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}`);
};

type FormProps = RestoreDialogProps & { onDirty: (dirty: boolean) => void };

function Form({ masterid, before, onDirty, ...dialog }: FormProps) {
  const [offered] = useState(() => germanText(before === null ? new Date(Date.now() - hourMs) : new Date(before)));
  const [text, setText] = useState(offered);
  const [reason, setReason] = useState('');
  useTellDirty(onDirty, reason !== '' || text !== offered);
  const [missing, setMissing] = useState(false);
  const moment = germanMoment(text)?.toISOString() ?? null;
  const question = useMemo(() => ({ moment: moment ?? '' }), [moment]);
  const preview = useLive(
    question,
    (signal) => call(api.previewRestore, { params: { masterid }, body: question, signal }),
    { delay: 400, enabled: moment !== null },
  );
  const known = preview.busy ? null : preview.answer;
  const { busy, failure, start } = useDialogAction(
    () => dialog.switches.startRestore(question.moment, reason.trim()),
    dialog,
  );
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setMissing(reason.trim() === '');
    if (reason.trim() !== '' && moment !== null) start();
  };
  return (
    <form className="k-stack" noValidate onSubmit={submit}>
      <p>
        Jeder Artikel bekommt den Preis zurück, der vor diesem Zeitpunkt zuletzt galt. Die Regeln ruhen, bis Sie es
        beenden; eine ausgelöste Sicherung wird freigegeben. Preisgrenzen, Pausen und Schritte gelten weiter, ein Notaus
        auch.
      </p>
      <TextInput
        label="Zeitpunkt, vor dem die Preise gut waren"
        description="Tag und Uhrzeit in Deutschland, zum Beispiel 24.12.2026, 18:30"
        required
        value={text}
        error={moment === null ? 'Bitte Tag und Uhrzeit so angeben: 24.12.2026, 18:30' : undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ErrorNotice failure={preview.failure} onRetry={preview.retry} />
      <div role="status" aria-busy={preview.busy}>
        {known === null ? (
          moment !== null && preview.failure === null && <p>Preise werden verglichen …</p>
        ) : (
          <Outcome masterid={masterid} preview={known} />
        )}
      </div>
      <Textarea
        label="Grund"
        required
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={missing ? 'Bitte nennen Sie einen Grund.' : undefined}
        onChange={({ currentTarget }) => {
          setMissing(false);
          setReason(currentTarget.value);
        }}
      />
      <ErrorNotice failure={failure} />
      <div className="k-row" style={{ justifyContent: 'flex-end' }}>
        <Button variant="default" onClick={dialog.onClose}>
          Abbrechen
        </Button>
        <Button type="submit" loading={busy} disabled={known === null || known.changed === 0}>
          Wiederherstellen
        </Button>
      </div>
    </form>
  );
}

/** The number of prices that would change, and the first of them. */
function Outcome({ masterid, preview }: { masterid: string; preview: RestorePreview }) {
  const { total, changed, unknown, steps, rows } = preview;
  const currencyAt = useMarketplaceCurrency();
  const same = total - changed - unknown;
  return (
    <div className="k-stack">
      <p>
        <strong>{formatCount(changed, 'Preis ändert sich', 'Preise ändern sich')}</strong> von {formatInteger(total)}.{' '}
        Bei {formatInteger(same)} gilt er schon, bei {formatInteger(unknown)} ist kein früherer Preis bekannt.
        {steps > 0 && ` ${formatCount(steps, 'braucht', 'brauchen')} mehrere Schritte mit Pausen dazwischen.`}
      </p>
      {rows.length > 0 && (
        <ScrollRegion label="Preise, die sich ändern" className={classes.restorerows ?? ''}>
          <table>
            <thead>
              <tr>
                <th scope="col">Artikel</th>
                <th scope="col">jetzt</th>
                <th scope="col">wieder</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ item, marketplace, from_cents, to_cents }) => (
                <tr key={`${marketplace} ${item}`}>
                  <td>
                    <Link to={pricePath(masterid, item)}>{item}</Link>
                  </td>
                  <td>{moneyText(from_cents, currencyAt(marketplace))}</td>
                  <td>{moneyText(to_cents, currencyAt(marketplace))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {rows.length < changed && <p className="k-muted k-small">Gezeigt werden die ersten {rows.length}.</p>}
    </div>
  );
}
