import { useMemo } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { CategoryRow, categoryRowsOf, newCategoryRow } from '#shared/assignments/schema.ts';
import { call } from '#client/call.ts';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { newestRevision } from '#client/editor/newest-revision.ts';
import classes from '#client/fields/assignments/assignments.module.css';
import { AssignmentEditor } from '#client/fields/assignments/assignment-editor.tsx';
import { CounterPanel } from '#client/fields/assignments/counter-panel.tsx';
import { loadExportTable } from '#client/fields/assignments/lines/table-loading.ts';
import { noTargets, TargetListCard } from '#client/fields/assignments/target-list-card.tsx';
import type { Made } from '#client/fields/assignments/lines/use-append.ts';
import { UnusedTable } from '#client/fields/assignments/unused-table.tsx';
import { useCounts } from '#client/fields/assignments/lines/use-counts.ts';
import { useLines } from '#client/fields/assignments/lines/use-lines.ts';
import { useRemaining } from '#client/fields/assignments/lines/load-remaining.ts';
import { useTargetInfo } from '#client/fields/assignments/lines/use-target-info.ts';
import { useTargets } from '#client/fields/assignments/lines/use-targets.ts';
import { HistoryLink } from '#client/fields/history-link.tsx';
import { useMay } from '#client/shell/session.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { useLive } from '#client/use-live.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { rows, ...loaded } = await loadExportTable(args, 'categories');
  return { ...loaded, rows: categoryRowsOf(rows) };
}

const words = {
  label: 'Kategoriezuordnungen',
  targetName: 'Weise Kategorie zu',
  add: 'Neue Kategorie anlegen',
  fetch: 'Fehlende Kategorie hinzufügen',
  save: 'Speichern',
};

/** Keyed by the export: edits of one never reach another. */
export default function CategoriesPage() {
  const loaded = useLoaderData<typeof loader>();
  return <Categories key={loaded.id} {...loaded} />;
}

/** CAT: which category of the channel each item gets. */
function Categories(loaded: Awaited<ReturnType<typeof loader>>) {
  const { id, name, masterid, fields, masters } = loaded;
  const mayEdit = useMay('edit');
  const list = useTargetInfo(id, 'categories', loaded.info);
  const load = async (signal: AbortSignal) => {
    const { rows } = await call(api.exportTable, { params: { id, table: 'categories' }, signal });
    return categoryRowsOf(rows);
  };
  const form = useLines<CategoryRow>({
    loaded,
    rest: useRemaining(loaded, load),
    save: (body, ifMatch, signal) => call(api.saveCategories, { params: { id }, body, ifMatch, signal }),
    newest: () =>
      newestRevision({ subject: 'categories', scope: `export:${id}` }, (content) =>
        CategoryRow.array().parse(content ?? []),
      ),
    onSaved: () => saved.retry(),
  });
  const targets = useTargets(id, 'categories');
  const table = useMemo(() => ({ id, table: 'categories' as const }), [id]);
  const counts = useCounts(table, form.lines, form.loading === null);
  // CAT-01: counted on opening and after every save.
  const exportRef = useMemo(() => ({ id }), [id]);
  const saved = useLive(exportRef, (signal) => call(api.countCategories, { body: { id }, signal }), { delay: 0 });
  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader
        title={`Kategorien · ${name}`}
        lead="Die erste aktive Zeile, deren Bedingungen zutreffen, gibt dem Artikel seine Kategorie."
        actions={<HistoryLink subject="categories" scope={`export:${id}`} />}
      />
      <div className={classes.facts}>
        <CounterPanel
          word="Kategorisiert"
          masterid={masterid}
          counts={saved.answer === null ? null : { total: saved.answer.records, assigned: saved.answer.count_is_cat.i }}
          unsaved={form.editor.dirty ? counts.answer : null}
          busy={saved.busy}
          failure={saved.failure ?? counts.failure}
          onRetry={saved.failure === null ? counts.retry : saved.retry}
        >
          {!loaded.used && <UnusedTable id={id} table="categories" />}
        </CounterPanel>
        <TargetListCard
          id={id}
          table="categories"
          info={list.info}
          masters={masters}
          targets={targets}
          mayEdit={mayEdit}
          onLoaded={list.reload}
        />
      </div>
      <AssignmentEditor
        form={form}
        table={table}
        masterid={masterid}
        fields={fields}
        targets={targets.entries}
        counts={counts}
        words={{ ...words, file: ['Kategorien', name], noTargets: noTargets(targets, 'Kategorien') }}
        newLine={newCategoryRow}
        lineOf={lineOf}
        allFilters
        sortable
        mayEdit={mayEdit}
      />
      <DocumentGuard editor={form.editor} shape={form.shape} onResolve={form.resolve} />
    </div>
  );
}

function lineOf({ id, source, filter, value, target, active = true }: Made): CategoryRow {
  return {
    id,
    field: [{ input: source, filter, value }],
    target: target?.id ?? '',
    catname: target?.name ?? '',
    producttyp: target?.info ?? '',
    active,
  };
}
