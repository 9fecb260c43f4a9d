import { Button, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import type { Schedule, ScheduleTimes } from '#shared/schedule/schema.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatPlanned, formatTime } from '#client/ui/text/formats.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { UnsavedGuard } from '#client/editor/unsaved-guard.tsx';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { draftErrors, draftOf, previewOf, type ScheduleDraft, timesOfDraft } from './schedule-draft.ts';
import { ScheduleFields } from './schedule-fields.tsx';

type ScheduleCardProps = {
  title: string;
  lead: string;
  schedule: Schedule;
  subject: 'schedule' | 'stock_schedule';
  /** `master:<id>` or `export:<id>`. */
  scope: string;
  mayEdit: boolean;
  /** Imports need an address to fetch from. */
  withAddress?: boolean;
  /** Saves and gives the new revision. */
  onSave: (times: ScheduleTimes, address: string, revision: number) => Promise<number>;
  onSaved: () => void;
  actions?: ReactNode;
};

/** When something runs by itself: edited here, with a preview of what that means on the calendar. */
export function ScheduleCard(props: ScheduleCardProps) {
  const { title, lead, schedule, subject, scope, mayEdit, withAddress = false, actions } = props;
  const heading = useId();
  const { draft, change, errors, dirty, busy, failure, dismiss, save } = useDraft(props);
  return (
    <section className="k-card k-stack" aria-labelledby={heading}>
      <div className="k-between">
        <h2 id={heading}>{title}</h2>
        <HistoryLink subject={subject} scope={scope} />
      </div>
      <p className="k-muted">{lead}</p>
      <ScheduleState schedule={schedule} />
      <fieldset disabled={!mayEdit} className="k-stack" style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
        <legend className="k-hidden">{title}</legend>
        <Switch
          label="Nach Zeitplan ausführen"
          checked={draft.active}
          onChange={({ currentTarget }) => change({ active: currentTarget.checked })}
        />
        {withAddress && draft.active && (
          <TextInput
            type="url"
            label="Adresse der Datei"
            description={
              schedule.settings.source === ''
                ? 'Kontor holt die Datei von dort. Benutzername und Passwort in der Adresse werden verschlüsselt aufbewahrt.'
                : `Gespeichert: ${schedule.settings.source}. Leer lassen, um sie zu behalten.`
            }
            placeholder="https://shop.example/artikel.csv"
            maxLength={2000}
            maw={640}
            value={draft.address}
            onChange={({ currentTarget }) => change({ address: currentTarget.value })}
          />
        )}
        {draft.active && <ScheduleFields draft={draft} errors={errors} onChange={change} />}
      </fieldset>
      {draft.active && <Preview times={previewOf(draft, schedule.now)} />}
      <ErrorNotice failure={failure} onClose={dismiss} />
      <div className="k-row">
        {mayEdit && (
          <Button loading={busy} disabled={!dirty || Object.keys(errors).length > 0} onClick={() => void save()}>
            Zeitplan speichern
          </Button>
        )}
        {actions}
      </div>
      <UnsavedGuard dirty={dirty} onSave={save} />
    </section>
  );
}

function useDraft({ schedule, onSave, onSaved }: ScheduleCardProps) {
  const [saved, setSaved] = useState({ draft: draftOf(schedule.settings), revision: schedule.revision });
  const [draft, setDraft] = useState(saved.draft);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const save = async (): Promise<boolean> => {
    setBusy(true);
    setFailure(null);
    try {
      const revision = await onSave(timesOfDraft(draft), draft.address.trim(), saved.revision);
      const kept = { ...draft, address: '' };
      setSaved({ draft: kept, revision });
      setDraft(kept);
      showSaved('Gespeichert');
      onSaved();
      return true;
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    change: (changed: Partial<ScheduleDraft>) => setDraft((now) => ({ ...now, ...changed })),
    errors: draftErrors(draft),
    dirty: JSON.stringify(draft) !== JSON.stringify(saved.draft),
    busy,
    failure,
    dismiss: () => setFailure(null),
    save,
  };
}

/** What holds now, and what went wrong. */
function ScheduleState({ schedule: { settings, nextAt, note, overdueSince } }: { schedule: Schedule }) {
  if (!settings.active) return <p>Kein Zeitplan: es läuft nur, was jemand startet.</p>;
  return (
    <>
      {nextAt !== null && (
        <p>
          Nächster geplanter Lauf: <strong>{formatPlanned(nextAt)}</strong>
        </p>
      )}
      {note !== null && <p className="k-small k-muted">{note}</p>}
      {overdueSince !== null && (
        <ErrorNotice
          failure={{
            title: 'Kein erfolgreicher Lauf',
            message: `Seit ${formatTime(overdueSince)} ist kein Lauf gelungen. Warum, steht in der Liste der Läufe.`,
          }}
        />
      )}
    </>
  );
}

function Preview({ times }: { times: readonly string[] }) {
  const heading = useId();
  if (times.length === 0) return null;
  return (
    <div>
      <h3 id={heading} className="k-strong k-small">
        Die nächsten Läufe mit diesen Angaben
      </h3>
      <ol className="k-small" aria-labelledby={heading} style={{ margin: '4px 0 0', paddingInlineStart: 20 }}>
        {times.map((time) => (
          <li key={time}>{formatPlanned(time)}</li>
        ))}
      </ol>
    </div>
  );
}
