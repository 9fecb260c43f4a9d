import { Button, Loader } from '@mantine/core';
import IconRefresh from 'virtual:icons/refresh';
import { api } from '#shared/http/api.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { useLiveStatus } from '#client/shell/live-status.tsx';
import { RunEnded } from '#client/shell/run-ended.tsx';
import { showFailure } from '#client/ui/notices.tsx';
import { useOnce } from '#client/ui/use-once.ts';

/**
 * LIV-02, LIV-04: updates a channel's file, or has an account's prices decided again. While it runs the button spins and is
 * disabled, then it says that it has ended.
 */
export function ChannelUpdate({ id, name }: { id: string; name: string }) {
  const { running, ended } = useLiveStatus();
  const outcome = ended.get(id);
  const { busy: starting, start } = useOnce(async () => {
    try {
      await call(api.updateChannel, { params: { channel: id } });
    } catch (error) {
      showFailure(failureOf('Fehler beim Starten', error));
    }
  });
  if (outcome !== undefined) {
    return (
      <span className="k-small" role="status">
        <RunEnded outcome={outcome} />
      </span>
    );
  }
  const busy = starting || running.has(id);
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={busy}
      // LIV-04: the spinner stands beside the word; Mantine's `loading` would cover it.
      leftSection={busy ? <Loader size={14} aria-hidden /> : <IconRefresh size={14} aria-hidden />}
      aria-label={`${name}: update`}
      onClick={start}
    >
      update
    </Button>
  );
}
