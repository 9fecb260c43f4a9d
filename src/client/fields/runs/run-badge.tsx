import { IconBan, IconCheck, IconClock, IconHandStop, IconLoader2, IconX, type TablerIcon } from '@tabler/icons-react';
import type { Run } from '#shared/runs/schema.ts';
import type { RunState } from '#shared/runs/words.ts';
import { runLabel, runTones } from './run-words.ts';
import { Badge } from '#client/ui/badge.tsx';

const icons: Record<RunState, TablerIcon> = {
  queued: IconClock,
  running: IconLoader2,
  done: IconCheck,
  failed: IconX,
  cancelled: IconBan,
  blocked: IconHandStop,
};

/** The state of a run by colour, icon and word. */
export function RunBadge({ run }: { run: Run }) {
  return (
    <Badge tone={runTones[run.state]} icon={icons[run.state]}>
      {runLabel(run)}
    </Badge>
  );
}
