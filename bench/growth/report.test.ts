import { expect, it } from 'vitest';
import { fileFaults, growthFigures, type Way } from './report.ts';

const way = (more: Partial<Way>): Way => ({
  wall: 10,
  fileWall: 2,
  cpu: [10],
  peakMb: 1000,
  load: 1,
  parts: 0,
  workers: 1,
  bytes: 5,
  sha256: 'a',
  ...more,
});

it("an output file that differs from the single run's file is reported as a fault that names the way it was made", () => {
  const ways = [way({}), way({ parts: 4 }), way({ parts: 4, workers: 2, sha256: 'b' })];
  expect(fileFaults(1000, ways.slice(0, 2))).toEqual([]);
  expect(fileFaults(1000, ways)).toEqual([
    '1.000 Artikel: die Datei von „4 Teile, 2 Worker“ ist nicht die von „am Stück, 1 Worker“',
  ]);
});

it('the figure of each way compares it with the single run of its own round', () => {
  const parts = { parts: 4, workers: 2, cpu: [4, 5] };
  const ways = [way({}), way({ ...parts, wall: 5 }), way({ wall: 40, cpu: [18] }), way({ ...parts, wall: 10 })];
  const [figure, ...others] = growthFigures('Probe', ways);
  expect(others).toEqual([]);
  expect(figure).toMatchObject({ name: 'Probe, 4 Teile, 2 Worker', ratio: 0.5, min: 0.25, max: 0.5, cpu: 0.9 });
});
