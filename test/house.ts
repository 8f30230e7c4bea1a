import { budgets, ruleOf } from './rooms.ts';

const width = 960;
const gap = 8;
const roomHeight = 52;
const floorHeight = roomHeight + 22;

/** Draws docs/house.svg: the rooms of `src` by floor, each as wide as its budget of lines. */
export function drawHouse(): string {
  const floors = Object.entries(Object.groupBy(Object.keys(budgets), floorOf)).sort(
    ([a], [b]) => Number(b) - Number(a),
  );
  const height = floors.length * floorHeight + gap;
  const rows = floors.map(([floor, rooms = []], index) =>
    drawFloor(Number(floor), rooms, index * floorHeight),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
${rows.join('\n')}
</svg>
`;
}

/** The floor of a room: one above the highest room that it may import. */
function floorOf(room: string): number {
  const below = (ruleOf(room)?.imports ?? []).flatMap((name) =>
    name === 'features/*' ? Object.keys(budgets).filter((each) => each.startsWith('features/')) : name,
  );
  return Math.max(
    0,
    ...below.filter((name) => name !== room && name !== 'features/*').map((name) => floorOf(name) + 1),
  );
}

function drawFloor(floor: number, rooms: readonly string[], top: number): string {
  const label = `<text x="${gap}" y="${top + 16}" fill="#666">floor ${floor}</text>`;
  const lines = rooms.reduce((sum, room) => sum + weightOf(room), 0);
  const free = width - gap * (rooms.length + 1);
  let left = gap;
  const boxes = rooms.toSorted().map((room) => {
    const size = Math.round((free * weightOf(room)) / lines);
    const box = drawRoom(room, { left, top: top + 20, size });
    left += size + gap;
    return box;
  });
  return [label, ...boxes].join('\n');
}

/** The budget that a room's width stands for; a small room is wide enough for its name. */
function weightOf(room: string): number {
  return Math.max(budgets[room] ?? 0, 1_400);
}

function drawRoom(room: string, { left, top, size }: { left: number; top: number; size: number }): string {
  const name = room.replace('features/', '');
  const middle = left + size / 2;
  const fill = room.startsWith('features/') ? '#e3f1ee' : room.startsWith('core/') ? '#fdf0d5' : '#eef0f4';
  return [
    `<rect x="${left}" y="${top}" width="${size}" height="${roomHeight}" rx="6" fill="${fill}" stroke="#99a"/>`,
    `<text x="${middle}" y="${top + 22}" text-anchor="middle">${name}</text>`,
    `<text x="${middle}" y="${top + 40}" text-anchor="middle" fill="#666">${budgets[room]}</text>`,
  ].join('\n');
}
