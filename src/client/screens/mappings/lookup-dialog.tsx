import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Target } from '#shared/assignments/schema.ts';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { doubledText, lookupText, readLookup } from './lookup-text.ts';

type LookupDialogProps = {
  lookup: readonly Target[];
  mayEdit: boolean;
  onLookup: (lookup: Target[]) => void;
  onClose: () => void;
};

/** SWM-01: the shop system's values that targets are chosen from, one per line: Kennung;Name. */
export function LookupDialog({ lookup, mayEdit, onLookup, onClose }: LookupDialogProps) {
  const [loaded] = useState(() => lookupText(lookup));
  const [text, setText] = useState(loaded);
  const found = readLookup(text, lookup);
  const doubled = doubledText(found);
  return (
    <FormDialog opened dirty={text !== loaded} onClose={onClose} size={560} title="Zielwerte des Shopsystems">
      <div className="k-stack">
        <Textarea
          label="Ein Wert je Zeile: Kennung;Name oder nur der Name"
          autosize
          minRows={8}
          maxRows={16}
          spellCheck={false}
          readOnly={!mayEdit}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={doubled}
          data-autofocus
        />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            {mayEdit ? 'Abbrechen' : 'Schließen'}
          </Button>
          {mayEdit && (
            <Button disabled={doubled !== undefined} onClick={() => onLookup(found)}>
              {formatCount(found.length, 'Zielwert', 'Zielwerte')} übernehmen
            </Button>
          )}
        </div>
      </div>
    </FormDialog>
  );
}
