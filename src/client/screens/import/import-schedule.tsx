import { Button } from '@mantine/core';
import IconPlayerPlay from 'virtual:icons/player-play';
import { api } from '#shared/http/api.ts';
import type { Schedule } from '#shared/schedule/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { ScheduleCard } from '#client/fields/schedule/schedule-card.tsx';
import { useReloadAfterRuns } from '#client/shell/live-status.tsx';
import { useMay } from '#client/shell/session.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';

type ImportScheduleProps = {
  masterid: string;
  schedule: Schedule;
  busy: boolean;
  onStarted: (runid: string) => void;
  onSaved: () => void;
};

/** Schedule for fetching the catalogue's file. */
export function ImportSchedule({ masterid, schedule, busy, onStarted, onSaved }: ImportScheduleProps) {
  const mayRun = useMay('run');
  useReloadAfterRuns();
  const { busy: starting, start } = useOnce(async () => {
    try {
      onStarted((await call(api.runImportSchedule, { params: { masterid } })).runid);
    } catch (error) {
      showFailure(failureOf('Fehler beim Starten', error));
    }
  });
  return (
    <ScheduleCard
      title="Zeitplan"
      lead="Kontor holt die Datei von einer Adresse und importiert sie, ohne dass jemand etwas tun muss."
      schedule={schedule}
      subject="schedule"
      scope={`master:${masterid}`}
      mayEdit={useMay('edit')}
      withAddress
      onSave={async (times, address, { revision, signal }) => {
        const body = { ...times, address };
        return (await call(api.saveImportSchedule, { params: { masterid }, body, ifMatch: revision, signal })).revision;
      }}
      onSaved={onSaved}
      actions={
        mayRun &&
        schedule.settings.source !== '' && (
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={starting}
            disabled={busy}
            onClick={start}
          >
            Jetzt abrufen
          </Button>
        )
      }
    />
  );
}
