import { Button } from '@mantine/core';
import IconColumnInsertRight from 'virtual:icons/column-insert-right';
import IconListDetails from 'virtual:icons/list-details';
import IconPlus from 'virtual:icons/plus';
import IconSortAscending from 'virtual:icons/sort-ascending';
import { useState } from 'react';
import type { ConstructionRow, ConstructionTemplate } from '#shared/construction/schema.ts';
import { AddFieldDialog } from '#client/screens/construction/add-field-dialog.tsx';
import { inTemplateOrder, missingFields } from '#client/screens/construction/groups.ts';
import type { RowActions } from './use-rows.ts';

type RowButtonsProps = {
  rows: readonly ConstructionRow[];
  template: ConstructionTemplate | null;
  actions: RowActions;
};

/** Buttons that add rows and sort all of them. */
export function RowButtons({ rows, template, actions }: RowButtonsProps) {
  const [adding, setAdding] = useState(false);
  const offered = template === null ? [] : missingFields(rows, template);
  const ordered = template === null || inTemplateOrder(rows, template) === rows;
  const { unused } = actions;
  return (
    <div className="k-row">
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={actions.add}>
        Neues Ausgabefeld anlegen
      </Button>
      {offered.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconListDetails size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Feld der Vorlage hinzufügen ({offered.length})
        </Button>
      )}
      {template === null && unused.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconColumnInsertRight size={16} aria-hidden />}
          onClick={actions.addAll}
        >
          Alle Felder übernehmen ({unused.length})
        </Button>
      )}
      {!ordered && (
        <Button
          variant="subtle"
          c="var(--k-link)"
          leftSection={<IconSortAscending size={16} aria-hidden />}
          onClick={actions.resetOrder}
        >
          Reihenfolge der Vorlage
        </Button>
      )}
      {adding && template !== null && (
        <AddFieldDialog
          fields={offered}
          groups={template.groups}
          onAdd={(fields) => actions.addFields(fields)}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
}
