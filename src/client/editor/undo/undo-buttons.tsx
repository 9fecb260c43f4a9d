import { ActionIcon } from '@mantine/core';
import IconArrowBackUp from 'virtual:icons/arrow-back-up';
import IconArrowForwardUp from 'virtual:icons/arrow-forward-up';

export type UndoSteps = {
  canUndo: boolean;
  canRedo: boolean;
  onUndo: () => void;
  onRedo: () => void;
  /** What the last undo or redo did, in words. */
  announcement: string;
};

/** Undo and redo buttons of a form. A button with nothing to do stays in place, disabled. */
export function UndoButtons({ canUndo, canRedo, onUndo, onRedo, announcement }: UndoSteps) {
  return (
    <div className="k-row" role="group" aria-label="Schritte" style={{ flexWrap: 'nowrap', gap: 4 }}>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Rückgängig"
        title="Rückgängig (Strg+Z)"
        aria-keyshortcuts="Control+Z"
        aria-disabled={!canUndo}
        data-disabled={!canUndo || undefined}
        onClick={onUndo}
      >
        <IconArrowBackUp size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        aria-label="Wiederholen"
        title="Wiederholen (Strg+Y)"
        aria-keyshortcuts="Control+Y Control+Shift+Z"
        aria-disabled={!canRedo}
        data-disabled={!canRedo || undefined}
        onClick={onRedo}
      >
        <IconArrowForwardUp size={18} aria-hidden />
      </ActionIcon>
      <span className="k-hidden" role="status">
        {announcement}
      </span>
    </div>
  );
}
