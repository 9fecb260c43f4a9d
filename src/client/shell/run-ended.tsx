import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconCheck from 'virtual:icons/check';
import IconHandStop from 'virtual:icons/hand-stop';
import IconX from 'virtual:icons/x';
import type { RunOutcome } from '#shared/live/schema.ts';
import { discardedWord, runStates } from '#shared/runs/words.ts';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import classes from './header.module.css';

const shown: Record<RunOutcome, { icon: IconComponent; word: string }> = {
  done: { icon: IconCheck, word: 'Beendet' },
  failed: { icon: IconAlertTriangle, word: 'Fehlgeschlagen' },
  blocked: { icon: IconHandStop, word: runStates.blocked },
  cancelled: { icon: IconX, word: runStates.cancelled },
  discarded: { icon: IconX, word: discardedWord },
};

/** LIV-02: says how a channel's run has ended, for the moment before its usual state returns. `name`: of the channel. */
export function RunEnded({ outcome, name }: { outcome: RunOutcome; name?: string }) {
  const { icon: Icon, word } = shown[outcome];
  return (
    <span style={{ display: 'contents', color: outcome === 'failed' ? 'var(--k-error)' : undefined }}>
      <Icon size={14} aria-hidden /> {name !== undefined && <span className={classes.name}>{name}:</span>} {word}
    </span>
  );
}
