import { Select } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { AttributeGroup } from '#shared/attributes/schema.ts';
import { formatCount } from '#client/ui/text/formats.ts';
import { writeQuery, type AttributesQuery } from './attributes-query.ts';

type GroupSelectProps = { groups: readonly AttributeGroup[]; items: number; query: AttributesQuery };

const everything = 'all';
const keyOf = ({ cat, typ }: { cat: string; typ: string }) => (cat === '' ? everything : JSON.stringify([cat, typ]));

/** Chooses all items of the export, or those of one category, each with its count. */
export function GroupSelect({ groups, items, query }: GroupSelectProps) {
  const navigate = useNavigate();
  const options = [
    { value: everything, label: `Alle Items (${formatCount(items, 'Artikel', 'Artikel')})` },
    ...groups.map((group) => ({ value: keyOf(group), label: labelOf(group) })),
  ];
  return (
    <Select
      label="Kategorie"
      description={
        groups.length === 0
          ? 'Noch kein Artikel hat eine Kategorie. Ordnen Sie unter „Kategorien“ welche zu, um Werte je Kategorie zu setzen.'
          : undefined
      }
      inputWrapperOrder={['label', 'input', 'description']}
      maw={560}
      searchable
      limit={50}
      nothingFoundMessage="Keine Kategorie gefunden"
      allowDeselect={false}
      data={options}
      value={keyOf(query)}
      onChange={(value) => {
        const group = groups.find((one) => keyOf(one) === value);
        void navigate(writeQuery({ cat: group?.cat ?? '', typ: group?.typ ?? '', page: 0 }));
      }}
    />
  );
}

function labelOf({ name, cat, typ, items, set }: AttributeGroup): string {
  const type = typ === '' ? '' : ` · ${typ}`;
  const values = set === 0 ? '' : `, ${formatCount(set, 'Wert', 'Werte')} gesetzt`;
  return `${name === '' ? cat : name}${type} (${formatCount(items, 'Artikel', 'Artikel')}${values})`;
}
