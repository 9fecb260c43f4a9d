import { Button } from '@mantine/core';
import IconBulb from 'virtual:icons/bulb';
import type { ConstructionRow, ConstructionTemplate } from '#shared/construction/schema.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { unmappedRows } from '#client/screens/construction/groups.ts';
import { SuggestionPanel } from './suggestion-panel.tsx';
import type { Offer } from './suggestions.ts';
import classes from './suggestions.module.css';

type SuggestionPlaceProps = {
  exportId: string;
  rows: readonly ConstructionRow[];
  template: ConstructionTemplate | null;
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onTake: (rows: readonly ConstructionRow[]) => void;
  onAdd: (offers: readonly Offer[]) => void;
};

/** If fields have no source yet: the suggestions, or a button that shows them. */
export function SuggestionPlace({ opened, onOpened, ...panel }: SuggestionPlaceProps) {
  const open = unmappedRows(panel.rows).length;
  if (opened) return <SuggestionPanel {...panel} onClose={() => onOpened(false)} />;
  if (open === 0) return null;
  return (
    <div className={classes.call}>
      <span>{formatCount(open, 'Ausgabefeld hat', 'Ausgabefelder haben')} noch keine Quelle.</span>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconBulb size={16} aria-hidden />}
        onClick={() => onOpened(true)}
      >
        Quellen vorschlagen
      </Button>
    </div>
  );
}
