import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** A small file system (tmpfs) that really runs full. */
export interface SmallDisk {
  readonly folder: string;
  /** Uses all space that is left. */
  fill(): void;
  /** Frees the space that `fill` uses. */
  free(): void;
  end(): void;
}

/**
 * False, or the reason why none can be made: it needs root and the right to mount. The reason is printed
 * once.
 */
export const noSmallDisk: string | false = whyNot();

function whyNot(): string | false {
  let why: string;
  if (process.platform === 'linux') {
    const folder = mkdtempSync(join(tmpdir(), 'sayso-mount-'));
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], {
      encoding: 'utf8',
    });
    if (status === 0) execFileSync('umount', [folder]);
    rmdirSync(folder);
    if (status === 0) return false;
    why = `no file system may be mounted here (${String(stderr).trim()})`;
  } else why = 'only Linux has tmpfs';
  process.stderr.write(`\n*** NOT TESTED: a full disk, ${why} ***\n\n`);
  return why;
}

const mounted = new Set<SmallDisk>();
process.on('exit', () => {
  for (const disk of mounted) disk.end();
});

export function mountSmallDisk({ megabytes, owner }: { megabytes: number; owner?: number }): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'sayso-disk-'));
  const size = `size=${megabytes}m,mode=0700,uid=${owner ?? process.getuid?.() ?? 0}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  const disk: SmallDisk = {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (const size of [2 ** 20, 4_096])
          try {
            for (const block = Buffer.alloc(size); ; ) writeSync(file, block);
          } catch (fault) {
            if (!(fault instanceof Error && 'code' in fault && fault.code === 'ENOSPC')) throw fault;
          }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    end() {
      if (!mounted.delete(disk)) return;
      // Lazy: a process that still has a file open there does not keep the disk mounted.
      spawnSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
  mounted.add(disk);
  return disk;
}
