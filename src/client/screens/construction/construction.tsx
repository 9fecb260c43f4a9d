import { useMemo, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/api.ts';
import { type ConstructionRow, incompleteRows, missingFieldsText } from '#shared/construction.ts';
import { call } from '../../call.ts';
import { type Failure, failureOf } from '../../failure.ts';
import { FieldsProvider } from '../../fields/fields-context.tsx';
import { HistoryLink } from '../../fields/history-link.tsx';
import { InSight } from '../../fields/in-sight.tsx';
import { type SaveFailure, saveFailureOf } from '../../fields/save-failure.ts';
import { SaveFailureNotice } from '../../fields/save-failure-notice.tsx';
import { asking } from '../../loading.ts';
import { useMay } from '../../shell/session.ts';
import { showSaved } from '../../ui/notices.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import classes from './construction.module.css';

import { Preview } from './preview.tsx';
import { countRowChanges } from './rows.ts';
import { RowsTable } from './rows-table.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const id = args.params['id'] ?? '';
  const [shown, construction, selectable] = await Promise.all([
    ask(api.export, { params: { id } }),
    ask(api.construction, { params: { id } }),
    ask(api.mappingFields, { params: { id } }),
  ]);
  return {
    id,
    masterid: shown.masterid,
    name: shown.settings.name,
    rows: construction.rows,
    revision: construction.revision,
    fields: selectable.filter(({ type }) => type === '_field'),
    extra: selectable.filter(({ type }) => type !== '_field'),
  };
}

/** Keyed by the export: edits of one never reach another. */
export default function ConstructionPage() {
  const loaded = useLoaderData<typeof loader>();
  return <ConstructionForm key={loaded.id} {...loaded} />;
}

/** CON, labelled variant: which fields the export has and where their values come from. */
function ConstructionForm({ id, masterid, name, fields, extra, ...loaded }: Awaited<ReturnType<typeof loader>>) {
  const form = useConstruction(id, loaded);
  const mayEdit = useMay('edit');
  const { rows } = form;
  const { complete, rowIds } = useMemo(() => incompleteRows(rows), [rows]);
  const missing = useMemo(() => new Set(form.checked === null ? [] : rowIds), [form.checked, rowIds]);
  const required = rows.filter(({ mp_state: state }) => state === 'Required').length;
  return (
    <FieldsProvider fields={fields} extra={extra}>
      <div className={`k-stack ${classes.page}`}>
        <PageHeader
          title={`Feldaufbau · ${name}`}
          lead={
            required > 0 && rowIds.length > 0
              ? `Welche Felder die Ausgabe hat und woher ihre Werte kommen. Pflichtfelder ohne Wert: ${rowIds.length} von ${required}.`
              : 'Welche Felder die Ausgabe hat und woher ihre Werte kommen.'
          }
          actions={<HistoryLink subject="construction" scope={`export:${id}`} />}
        />
        <InSight of={form.failure}>
          <SaveFailureNotice
            failure={form.failure}
            onClose={form.closeFailure}
            onReload={() => void form.reload()}
            onSaveAnyway={() => void form.save(true)}
          />
        </InSight>
        <InSight of={complete ? null : form.checked}>
          <p className={classes.incomplete} role="alert">
            {missingFieldsText}
          </p>
        </InSight>
        <fieldset disabled={!mayEdit} className={classes.fields}>
          <RowsTable rows={rows} missing={missing} mayEdit={mayEdit} onRows={form.setRows} />
        </fieldset>
        <Preview masterid={masterid} exportId={id} rows={rows} />
        {mayEdit && (
          <SaveBar
            always
            dirty={form.changes > 0}
            count={form.changes}
            busy={form.busy}
            onSave={() => void form.save()}
            onDiscard={form.discard}
          />
        )}
        <UnsavedGuard dirty={form.changes > 0} onSave={form.save} />
      </div>
    </FieldsProvider>
  );
}

type Stored = { rows: readonly ConstructionRow[]; revision: number };

/** The rows as a form. CON-07: an incomplete list is saved all the same. */
function useConstruction(projectId: string, loaded: Stored) {
  const [saved, setSaved] = useState<Stored>(loaded);
  const [rows, setRows] = useState(loaded.rows);
  // Each save checks anew.
  const [checked, setChecked] = useState<object | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const changes = useMemo(() => countRowChanges(saved.rows, rows), [saved.rows, rows]);

  const save = async (anyway = false): Promise<boolean> => {
    setBusy(true);
    setChecked({});
    setFailure(null);
    try {
      const ifMatch = anyway ? undefined : saved.revision;
      const { revision } = await call(api.saveConstruction, { params: { projectId }, body: [...rows], ifMatch });
      setSaved({ rows, revision });
      showSaved('Daten wurden gespeichert');
      return true;
    } catch (error) {
      setFailure(saveFailureOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const take = (stored: Stored) => {
    setRows(stored.rows);
    setSaved(stored);
    setChecked(null);
    setFailure(null);
  };
  const reload = async () => {
    try {
      take(await call(api.construction, { params: { id: projectId } }));
    } catch (error) {
      const failed: Failure = failureOf('Fehler beim Laden', error);
      setFailure({ ...failed, conflict: true });
    }
  };
  const discard = () => take(saved);
  return {
    rows,
    setRows,
    checked,
    busy,
    failure,
    changes,
    save,
    discard,
    reload,
    closeFailure: () => setFailure(null),
  };
}
