import IconBan from 'virtual:icons/ban';
import IconCheck from 'virtual:icons/check';
import IconClock from 'virtual:icons/clock';
import IconHandStop from 'virtual:icons/hand-stop';
import IconInfoCircle from 'virtual:icons/info-circle';
import IconLoader2 from 'virtual:icons/loader-2';
import IconX from 'virtual:icons/x';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import type { Run } from '#shared/runs/schema.ts';
import { type RunState, runWord } from '#shared/runs/words.ts';
import { isDoneWithWarnings, runTones } from './run-words.ts';
import { Badge } from '#client/ui/badge.tsx';

const icons: Record<RunState, IconComponent> = {
  queued: IconClock,
  running: IconLoader2,
  done: IconCheck,
  failed: IconX,
  cancelled: IconBan,
  blocked: IconHandStop,
};

type RunBadgeProps = {
  run: Run;
  /** It was held back, and a later run was accepted: it can no longer be released. */
  superseded?: boolean;
};

/** The state of a run by colour, icon and word. */
export function RunBadge({ run, superseded = false }: RunBadgeProps) {
  if (superseded) return <Badge tone="gray">überholt</Badge>;
  const warned = isDoneWithWarnings(run);
  return (
    <Badge tone={warned ? 'yellow' : runTones[run.state]} icon={warned ? IconInfoCircle : icons[run.state]}>
      {warned ? `${runWord(run)} mit Hinweisen` : runWord(run)}
    </Badge>
  );
}
