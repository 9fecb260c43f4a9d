import { Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { type Export, ExportSettings } from '#shared/exports/schema.ts';
import { call, CallError } from '#client/call.ts';
import { type Failure, failureOf, fieldError } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { UnsavedGuard } from '#client/editor/unsaved-guard.tsx';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { DifferenceForm } from '#client/fields/difference-form.tsx';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { DeltaFields } from './delta-fields.tsx';
import { ExportSchedules } from './export-schedules.tsx';
import { UploadCard } from './upload-card.tsx';
import { FormatFields, formatError } from './format-fields.tsx';
import classes from './export-settings.module.css';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const params = { id: args.params['id'] ?? '' };
  const [loaded, difference, upload, schedule, stock] = await Promise.all([
    ask(api.export, { params }),
    ask(api.exportDifference, { params }),
    ask(api.upload, { params }),
    ask(api.exportSchedule, { params }),
    ask(api.stockSchedule, { params }),
  ]);
  return { loaded, difference, upload, schedule, stock };
}

const badFilename = 'Erlaubt sind Buchstaben, Ziffern, Punkt, Bindestrich, Unterstrich und Leerzeichen.';

/** Keyed by the export: edits of one never reach another. */
export default function ExportSettingsPage() {
  const loaded = useLoaderData<typeof loader>();
  const { id } = loaded.loaded;
  const mayEdit = useMay('edit');
  const mayRun = useMay('run');
  const { revalidate } = useRevalidator();
  return (
    <div className={`k-stack ${classes.page}`}>
      <SettingsForm key={id} loaded={loaded.loaded} />
      <DifferenceForm
        key={`difference ${id}`}
        to={api.saveExportDifference}
        params={{ id }}
        settings={loaded.difference.settings}
        of="outputs"
        mayEdit={mayEdit}
      />
      <UploadCard
        key={`upload ${id}`}
        id={id}
        settings={loaded.upload.settings}
        passSet={loaded.upload.passSet}
        mayEdit={mayEdit}
        onSaved={() => void revalidate()}
      />
      {loaded.upload.runs.length > 0 && (
        <RunHistory
          runs={loaded.upload.runs}
          title="Letzte Übertragungen"
          onRetried={mayRun ? () => void revalidate() : undefined}
        />
      )}
      <ExportSchedules
        key={`schedules ${id}`}
        id={id}
        schedule={loaded.schedule}
        stock={loaded.stock}
        onSaved={() => void revalidate()}
      />
    </div>
  );
}

function SettingsForm({ loaded }: { loaded: Export }) {
  const { id } = loaded;
  const [saved, setSaved] = useState({ settings: loaded.settings, revision: loaded.revision });
  const [settings, setSettings] = useState(loaded.settings);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ failure: Failure; error: unknown } | null>(null);
  const { revalidate } = useRevalidator();
  const mayEdit = useMay('edit');
  const dirty = JSON.stringify(settings) !== JSON.stringify(saved.settings);
  const set = (changed: Partial<ExportSettings>) => setSettings((now) => ({ ...now, ...changed }));

  const filenameError = ExportSettings.shape.filename.safeParse(settings.filename).success ? undefined : badFilename;
  const nameError = settings.name.trim() === '' ? 'Bitte geben Sie einen Namen ein.' : undefined;

  const save = async (): Promise<boolean> => {
    const wrong = nameError ?? filenameError ?? formatError(settings.format);
    if (wrong !== undefined) {
      setFailed({ failure: { title: 'Fehler beim Speichern', message: wrong, requestId: '' }, error: undefined });
      return false;
    }
    setBusy(true);
    setFailed(null);
    try {
      const { revision } = await call(api.saveExport, { params: { id }, body: settings, ifMatch: saved.revision });
      setSaved({ settings, revision });
      showSaved('Gespeichert');
      await revalidate();
      return true;
    } catch (error) {
      setFailed({ failure: keptWords(error), error });
      return false;
    } finally {
      setBusy(false);
    }
  };
  const errorOf = (field: string) => fieldError(failed?.error, field);

  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader
        title={`Einstellungen · ${saved.settings.name}`}
        lead="Wie die Datei heißt und geschrieben wird."
        actions={<HistoryLink subject="settings" scope={`export:${id}`} />}
      />
      <ErrorNotice failure={failed?.failure ?? null} onClose={() => setFailed(null)} />
      <fieldset disabled={!mayEdit} className={classes.fields}>
        <section className="k-card k-stack" aria-labelledby="allgemein">
          <h2 id="allgemein">Allgemein</h2>
          <div className={classes.grid}>
            <TextInput
              label="Name"
              required
              maxLength={200}
              value={settings.name}
              error={nameError ?? errorOf('name')}
              onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            />
            <TextInput
              label="Kanal"
              description="Wohin die Datei geht"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={100}
              value={settings.channel}
              error={errorOf('channel')}
              onChange={({ currentTarget }) => set({ channel: currentTarget.value })}
            />
            <TextInput
              label="Dateiname"
              description="Buchstaben, Ziffern, Punkt, Bindestrich, Unterstrich und Leerzeichen"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              maxLength={128}
              value={settings.filename}
              error={filenameError ?? errorOf('filename')}
              onChange={({ currentTarget }) => set({ filename: currentTarget.value })}
            />
          </div>
          <Switch
            label="Artikel mit Fehlern auslassen"
            description="Was der Kanal ablehnen würde, kommt nicht in die Datei. Jeder Lauf zählt diese Artikel, die Diagnose nennt sie."
            checked={settings.omitInvalid}
            onChange={({ currentTarget }) => set({ omitInvalid: currentTarget.checked })}
          />
        </section>
        <DeltaFields delta={settings.delta} path={loaded.deltaPath} onChange={(delta) => set({ delta })} />
        <FormatFields format={settings.format} onChange={(format) => set({ format })} errorOf={errorOf} />
      </fieldset>
      <SaveBar dirty={dirty} busy={busy} onSave={() => void save()} onDiscard={() => setSettings(saved.settings)} />
      <UnsavedGuard dirty={dirty} onSave={save} />
    </div>
  );
}

/** What happened and what is safe; some causes name the way out themselves, and a form out of date has another. */
function keptWords(error: unknown): Failure {
  const failure = failureOf('Fehler beim Speichern', error);
  const known = (error instanceof CallError && error.status === 409) || failure.message.includes('erneut');
  const next = known ? '' : ' Bitte versuchen Sie es erneut.';
  return { ...failure, message: `${failure.message} Ihre Änderungen stehen noch im Formular.${next}` };
}
