import { Switch, TextInput } from '@mantine/core';
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { api } from '#shared/http/api.ts';
import { type Export, ExportSettings } from '#shared/exports/schema.ts';
import { call, CallError } from '#client/call.ts';
import { fieldError } from '#client/failure.ts';
import type { ChannelInfo } from '#shared/channels/schema.ts';
import { asking } from '#client/loading.ts';
import { useMay } from '#client/shell/session.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { SaveBar } from '#client/editor/save-bar.tsx';
import { DocumentFields } from '#client/editor/document-fields.tsx';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { useDocument } from '#client/editor/use-document.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { DifferenceForm } from '#client/fields/difference-form.tsx';
import { TrashCard } from '#client/fields/trash-card.tsx';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { ChannelField } from './channel-field.tsx';
import { TemplateDialog, useTemplateQuestion } from './template-question.tsx';
import { DeltaFields } from './delta-fields.tsx';
import { ExportSchedules } from './export-schedules.tsx';
import { UploadCard } from './upload-card.tsx';
import { fileNameError, fileNameHints } from './file-name-hints.ts';
import { FormatFields, formatError } from './format-fields.tsx';
import classes from './export-settings.module.css';
import { settingsShape } from './settings-shape.ts';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const params = { id: args.params['id'] ?? '' };
  const [loaded, channels, difference, upload, schedule, stock] = await Promise.all([
    ask(api.export, { params }),
    ask(api.channels),
    ask(api.exportDifference, { params }),
    ask(api.upload, { params }),
    ask(api.exportSchedule, { params }),
    ask(api.stockSchedule, { params }),
  ]);
  return { loaded, channels, difference, upload, schedule, stock };
}

const allowedText = 'Buchstaben, Ziffern, Punkt, Bindestrich, Unterstrich und Leerzeichen';

/** Keyed by the export: edits of one never reach another. */
export default function ExportSettingsPage() {
  const loaded = useLoaderData<typeof loader>();
  const { id } = loaded.loaded;
  const mayEdit = useMay('edit');
  const mayRun = useMay('run');
  const { revalidate } = useRevalidator();
  return (
    <div className={`k-stack ${classes.page}`}>
      <SettingsForm key={id} loaded={loaded.loaded} channels={loaded.channels} />
      <DifferenceForm
        key={`difference ${id}`}
        owner={{ kind: 'export', id }}
        loaded={loaded.difference}
        mayEdit={mayEdit}
      />
      <UploadCard
        key={`upload ${id}`}
        id={id}
        loaded={loaded.upload}
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
      {mayEdit && <TrashCard kind="export" id={id} name={loaded.loaded.settings.name} />}
    </div>
  );
}

function SettingsForm({ loaded, channels }: { loaded: Export; channels: readonly ChannelInfo[] }) {
  const { id } = loaded;
  const template = useTemplateQuestion(channels);
  const editor = useSettings(loaded, template.mayGo);
  const { draft: settings, failure, error, dirty } = editor;
  const mayEdit = useMay('edit');
  const set = (changed: Partial<ExportSettings>) => editor.edit((now) => ({ ...now, ...changed }), null);
  const { nameError, filenameError } = errorsIn(settings);
  const hints = fileNameHints(editor.stored, settings);
  const errorOf = (field: string) => fieldError(error, field);

  return (
    <DocumentFields editor={editor}>
      <div className={`k-stack ${classes.page}`}>
        <PageHeader
          title={`Einstellungen · ${editor.stored.name}`}
          lead="Wie die Datei heißt und geschrieben wird."
          actions={<HistoryLink subject="settings" scope={`export:${id}`} />}
        />
        <ErrorNotice failure={failure} onClose={editor.closeFailure} />
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
              <ChannelField
                channels={channels}
                channel={settings.channel}
                error={errorOf('channel')}
                onChannel={(channel) => set({ channel })}
              />
              <TextInput
                label="Dateiname"
                description={hints.length === 0 ? allowedText : <span className={classes.hint}>{hints.join(' ')}</span>}
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
        <SaveBar
          dirty={dirty}
          count={editor.changes}
          busy={editor.busy}
          onSave={() => void editor.save()}
          onDiscard={() => editor.discard(null)}
        />
        <TemplateDialog lost={template.pending} onAnswer={template.answer} />
        <DocumentGuard
          editor={editor}
          shape={settingsShape}
          onResolve={(resolution) => void editor.resolve(resolution, null)}
        />
      </div>
    </DocumentFields>
  );
}

type MayGo = (draft: ExportSettings, stored: ExportSettings) => Promise<boolean>;

function useSettings({ id, settings, revision }: Export, mayGo: MayGo) {
  const { revalidate } = useRevalidator();
  return useDocument<ExportSettings>({
    loaded: { document: settings, revision },
    shape: settingsShape,
    mayGo,
    send: (draft, { revision: ifMatch, signal }) => {
      const { nameError, filenameError } = errorsIn(draft);
      const wrong = nameError ?? filenameError ?? formatError(draft.format);
      if (wrong !== undefined) throw new CallError(422, { code: 'invalid', message: wrong, requestId: '' });
      return call(api.saveExport, { params: { id }, body: draft, ifMatch, signal });
    },
    newest: () =>
      newestRevision({ subject: 'settings', scope: `export:${id}` }, (content) => ExportSettings.parse(content)),
    onSaved: async () => {
      showSaved('Gespeichert');
      await revalidate();
    },
  });
}

const errorsIn = ({ name, filename }: ExportSettings) => ({
  filenameError: fileNameError(filename),
  nameError: name.trim() === '' ? 'Bitte geben Sie einen Namen ein.' : undefined,
});
