import { Button } from '@mantine/core';
import IconPlayerPlay from 'virtual:icons/player-play';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import type { Schedule } from '#shared/schedule/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ScheduleCard } from '#client/fields/schedule/schedule-card.tsx';
import { RunHistory } from '#client/fields/runs/run-history.tsx';
import { RunProgress } from '#client/fields/runs/run-progress.tsx';
import { isUnderWay } from '#client/fields/runs/run-words.ts';
import { queuedRun, useRun } from '#client/fields/runs/use-run.ts';
import { useReloadAfterRuns } from '#client/shell/live-status.tsx';
import { useMay } from '#client/shell/session.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';

type ExportSchedulesProps = {
  id: string;
  schedule: Schedule;
  stock: { schedule: Schedule; runs: Run[] };
  onSaved: () => void;
};

/** Schedules of the export: the whole file, and between its runs stock and price only. */
export function ExportSchedules({ id, schedule, stock, onSaved }: ExportSchedulesProps) {
  const mayEdit = useMay('edit');
  useReloadAfterRuns();
  return (
    <>
      <ScheduleCard
        title="Zeitplan"
        lead="Wann der Export von selbst läuft. Ein Lauf, der noch nicht zu Ende ist, wird kein zweites Mal gestartet."
        schedule={schedule}
        subject="schedule"
        scope={`export:${id}`}
        mayEdit={mayEdit}
        onSave={async (body, _address, { revision, signal }) =>
          (await call(api.saveExportSchedule, { params: { id }, body, ifMatch: revision, signal })).revision
        }
        onSaved={onSaved}
      />
      <StockSchedule id={id} stock={stock} onSaved={onSaved} />
    </>
  );
}

function StockSchedule({ id, stock, onSaved }: Pick<ExportSchedulesProps, 'id' | 'stock' | 'onSaved'>) {
  const mayEdit = useMay('edit');
  const mayRun = useMay('run');
  const { run, lost, follow } = useRun(stock.runs[0] ?? null, onSaved);
  const underWay = run !== null && isUnderWay(run);
  const onStarted = (runid: string) => follow(queuedRun(runid, 'stock', id));
  const { busy: starting, start } = useOnce(async () => {
    try {
      onStarted((await call(api.runStock, { params: { id } })).runid);
    } catch (error) {
      showFailure(failureOf('Fehler beim Starten', error));
    }
  });
  return (
    <>
      <ScheduleCard
        title="Zeitplan für Bestand und Preis"
        lead="Zwischen den Läufen des Exports werden nur Artikelnummer, Bestand und Preis neu ausgegeben, unter der Abruf-Adresse „quantityprice“. Das geht auch bei sehr vielen Artikeln alle paar Minuten."
        schedule={stock.schedule}
        subject="stock_schedule"
        scope={`export:${id}`}
        mayEdit={mayEdit}
        onSave={async (body, _address, { revision, signal }) =>
          (await call(api.saveStockSchedule, { params: { id }, body, ifMatch: revision, signal })).revision
        }
        onSaved={onSaved}
        actions={
          mayRun && (
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              loading={starting}
              disabled={underWay}
              onClick={start}
            >
              Jetzt ausgeben
            </Button>
          )
        }
      />
      {underWay && <RunProgress run={run} lost={lost} mayCancel={mayRun} onChange={follow} />}
      {stock.runs.length > 0 && (
        <RunHistory
          runs={stock.runs}
          title="Letzte Ausgaben von Bestand und Preis"
          onRetried={mayRun ? onStarted : undefined}
        />
      )}
    </>
  );
}
