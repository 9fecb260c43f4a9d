import IconCheck from 'virtual:icons/check';
import IconHandStop from 'virtual:icons/hand-stop';
import IconX from 'virtual:icons/x';
import type { RunOutcome } from '#shared/live/schema.ts';
import { runStates } from '#shared/runs/words.ts';

const icons = { done: IconCheck, blocked: IconHandStop, cancelled: IconX };

/** LIV-02: says how a channel's run has ended, for the moment before its usual state returns. `name`: of the channel. */
export function RunEnded({ outcome, name }: { outcome: RunOutcome; name?: string }) {
  const Icon = icons[outcome];
  return (
    <>
      <Icon size={14} aria-hidden /> {name !== undefined && `${name}: `}
      {outcome === 'done' ? 'Beendet' : runStates[outcome]}
    </>
  );
}
