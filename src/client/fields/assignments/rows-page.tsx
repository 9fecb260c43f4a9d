import { useMemo } from 'react';
import { api } from '#shared/http/api.ts';
import { exportTables, MappingRow, mappingRowsOf, newMappingRow } from '#shared/assignments/schema.ts';
import { call } from '#client/call.ts';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { newestRevision } from '#client/editor/newest-revision.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { HistoryLink } from '#client/fields/history-link.tsx';
import classes from './assignments.module.css';
import { AssignmentEditor } from './assignment-editor.tsx';
import { CounterPanel } from './counter-panel.tsx';
import { mappingLine } from '#client/fields/assignments/lines/mapping-line.ts';
import type { LoadedTable } from '#client/fields/assignments/lines/table-loading.ts';
import { noTargets, TargetListCard } from './target-list-card.tsx';
import { UnusedTable } from './unused-table.tsx';
import { useCounts } from '#client/fields/assignments/lines/use-counts.ts';
import { useLines } from '#client/fields/assignments/lines/use-lines.ts';
import { useRemaining } from '#client/fields/assignments/lines/load-remaining.ts';
import { useTargetInfo } from '#client/fields/assignments/lines/use-target-info.ts';
import { useTargets } from '#client/fields/assignments/lines/use-targets.ts';

/** Height of the brand picker's list in pixels (BRA-01). */
const listHeight = 210;
const saveCalls = { brands: api.saveBrands, colors: api.saveColors } as const;

type RowsPageProps = LoadedTable & { table: 'brands' | 'colors'; mayEdit: boolean };

/** BRA, COL: the tables whose rows have one condition and a target of the channel's list. */
export function RowsPage({ table, mayEdit, ...loaded }: RowsPageProps) {
  const { id, name, masterid, fields, masters } = loaded;
  const { title, one } = exportTables[table];
  const list = useTargetInfo(id, table, loaded.info);
  const rows = useMemo(() => mappingRowsOf(loaded.rows), [loaded.rows]);
  const load = async (signal?: AbortSignal) => {
    const loaded = await call(api.exportTable, { params: { id, table }, signal });
    return mappingRowsOf(loaded.rows);
  };
  const begin = { rows, total: loaded.total, revision: loaded.revision };
  const rest = useRemaining(begin, load);
  const form = useLines<MappingRow>({
    loaded: begin,
    rest,
    save: (body, ifMatch, signal) => call(saveCalls[table], { params: { id }, body, ifMatch, signal }),
    newest: () =>
      newestRevision({ subject: table, scope: `export:${id}` }, (content) => MappingRow.array().parse(content ?? [])),
    savedTitle: 'Info',
  });
  const targets = useTargets(id, table);
  const ref = useMemo(() => ({ id, table }), [id, table]);
  const counts = useCounts(ref, form.lines, form.loading === null);
  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader
        title={`${title} · ${name}`}
        lead={`Die erste aktive Zeile, deren Bedingung zutrifft, gibt dem Artikel seine ${one}.`}
        actions={<HistoryLink subject={table} scope={`export:${id}`} />}
      />
      <div className={classes.facts}>
        <CounterPanel
          word="Zugeordnet"
          masterid={masterid}
          counts={counts.answer}
          unsaved={null}
          busy={counts.busy}
          failure={counts.failure}
          onRetry={counts.retry}
        >
          {!loaded.used && <UnusedTable id={id} table={table} />}
        </CounterPanel>
        <TargetListCard
          id={id}
          table={table}
          info={list.info}
          masters={masters}
          targets={targets}
          mayEdit={mayEdit}
          onLoaded={list.reload}
        />
      </div>
      <AssignmentEditor
        form={form}
        table={ref}
        masterid={masterid}
        fields={fields}
        targets={targets.entries}
        counts={counts}
        words={{
          label: `${title}, Zuordnungen`,
          targetName: 'Weise Wert zu',
          add: 'Neue Zeile anlegen',
          fetch: 'Werte anhand eines Feldes hinzufügen',
          save: 'Mapping speichern',
          file: [title, name],
          noTargets: noTargets(targets, title),
        }}
        newLine={newMappingRow}
        lineOf={mappingLine}
        listHeight={listHeight}
        hiddenInputs={table === 'colors'}
        mayEdit={mayEdit}
      />
      <DocumentGuard editor={form.editor} shape={form.shape} onResolve={form.resolve} />
    </div>
  );
}
