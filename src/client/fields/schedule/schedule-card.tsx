import { Button, Switch, TextInput } from '@mantine/core';
import { type MouseEvent, type ReactNode, useId, useMemo } from 'react';
import { type Schedule, ScheduleSettings, type ScheduleTimes } from '#shared/schedule/schema.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { formatPlanned, formatTime } from '#client/ui/text/formats.ts';
import { goToUnread } from '#client/ui/form/unread-field.ts';
import { showSaved } from '#client/ui/notices.tsx';
import { UnsavedNote } from '#client/editor/document-form.tsx';
import { DocumentFields } from '#client/editor/document-fields.tsx';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { useDocument } from '#client/editor/use-document.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import {
  addressOfDraft,
  draftErrors,
  draftOf,
  previewOf,
  type ScheduleDraft,
  scheduleShape,
  timesOfDraft,
} from './schedule-draft.ts';
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
  /** Saves and resolves to the new revision. */
  onSave: (times: ScheduleTimes, address: string, input: { revision: number; signal: AbortSignal }) => Promise<number>;
  onSaved: () => void;
  actions?: ReactNode;
};

/** Editor of a schedule, with a preview of the next dates. */
export function ScheduleCard(props: ScheduleCardProps) {
  const { title, lead, schedule, subject, scope, mayEdit, withAddress = false, actions } = props;
  const heading = useId();
  const editor = useSchedule(props);
  const { draft, failure, busy, dirty, save } = editor;
  const errors = draftErrors(draft);
  const change = (changed: Partial<ScheduleDraft>) => editor.edit((now) => ({ ...now, ...changed }), null);
  const saveIfRead = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (!goToUnread(currentTarget.closest('section') ?? document)) void save();
  };
  return (
    <DocumentFields editor={editor}>
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
            autoComplete="off"
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
        <ErrorNotice failure={failure} onClose={editor.closeFailure} />
        <div className="k-row">
          {mayEdit && (
            <Button loading={busy} disabled={!dirty || Object.keys(errors).length > 0} onClick={saveIfRead}>
              Zeitplan speichern
            </Button>
          )}
          {mayEdit && <UnsavedNote editor={editor} />}
          {actions}
        </div>
        <DocumentGuard
          editor={editor}
          shape={scheduleShape}
          onResolve={(resolution) => void editor.resolve(resolution, null)}
        />
      </section>
    </DocumentFields>
  );
}

function useSchedule({ schedule, subject, scope, onSave, onSaved }: ScheduleCardProps) {
  const { settings, revision } = schedule;
  const document = useMemo(() => draftOf(settings), [settings]);
  return useDocument<ScheduleDraft>({
    loaded: { document, revision },
    shape: scheduleShape,
    // The error is shown at its field.
    mayGo: (draft) => Object.keys(draftErrors(draft)).length === 0,
    send: async (draft, input) => ({
      revision: await onSave(timesOfDraft(draft), addressOfDraft(draft), input),
      // The address is stored encrypted, and shown shortened next to its field.
      stored: { ...draft, address: '' },
    }),
    newest: () => newestRevision({ subject, scope }, (content) => draftOf(ScheduleSettings.parse(content ?? {}))),
    onSaved: () => {
      showSaved('Gespeichert');
      onSaved();
    },
  });
}

/** The schedule in force, and its problems. */
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
