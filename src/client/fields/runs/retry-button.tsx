import { Button } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import { api } from '#shared/http/api.ts';
import type { Run } from '#shared/runs/schema.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';

/** Starts a failed run again. */
export function RetryButton({ run, onRetried }: { run: Run; onRetried: (runid: string) => void }) {
  const { busy, start } = useOnce(async () => {
    try {
      onRetried((await call(api.retryRun, { params: { runid: run.runid } })).runid);
    } catch (error) {
      showFailure(failureOf('Fehler beim Starten', error));
    }
  });
  return (
    <div style={{ marginTop: 4 }}>
      <Button
        variant="default"
        size="compact-sm"
        loading={busy}
        leftSection={<IconRefresh size={14} aria-hidden />}
        aria-label={`Erneut versuchen: Lauf vom ${formatTime(run.createdAt)}`}
        onClick={start}
      >
        Erneut versuchen
      </Button>
    </div>
  );
}
