import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { normaliseFiles, packagingFolder, run, writeTar } from './staging.ts';

/** User id of the program in the image; the same in `packaging/image-root.sh` and `packaging/Dockerfile`. */
const imageUserId = 10_001;

type ImageOptions = { work: string; version: string; images: { architecture: string; deb: string }[] };

const mediaType = (type: string) => `application/vnd.oci.image.${type}`;

/** Writes one OCI archive (readable by skopeo, podman, umoci) with an image per architecture; needs no daemon. */
export function writeImage(to: string, { work, version, images }: ImageOptions): void {
  const layout = join(work, 'image');
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const created = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString();

  function writeBlob(bytes: Buffer, type: string): { mediaType: string; digest: string; size: number } {
    const digest = sha256(bytes);
    writeFileSync(join(layout, 'blobs/sha256', digest.slice('sha256:'.length)), bytes);
    return { mediaType: mediaType(type), digest, size: bytes.length };
  }
  const writeJsonBlob = (value: object, type: string) => writeBlob(Buffer.from(JSON.stringify(value)), type);

  function writeLayer(root: string, paths: string[], owner: number) {
    const path = join(work, 'layer.tar.gz');
    const existingPaths = paths.filter((each) => existsSync(join(root, each)));
    writeTar(root, existingPaths, path, owner);
    const bytes = readFileSync(path);
    rmSync(path);
    return { diffId: sha256(gunzipSync(bytes)), descriptor: writeBlob(bytes, 'layer.v1.tar+gzip') };
  }

  const manifests = images.map(({ architecture, deb }) => {
    const platform = { architecture, os: 'linux' };
    const root = join(work, `root-${architecture}`);
    run('sh', [join(packagingFolder, 'image-root.sh'), architecture, deb, root]);
    normaliseFiles(root);
    const layers = [
      writeLayer(root, ['etc', 'lib', 'lib64', 'usr', 'dev', 'proc', 'sys'], 0),
      writeLayer(root, ['tmp', 'var/lib/hemicycle'], imageUserId),
    ];
    const config = {
      created,
      ...platform,
      config: JSON.parse(readFileSync(join(packagingFolder, 'image.json'), 'utf8')),
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    };
    const manifest = {
      schemaVersion: 2,
      mediaType: mediaType('manifest.v1+json'),
      config: writeJsonBlob(config, 'config.v1+json'),
      layers: layers.map(({ descriptor }) => descriptor),
    };
    const annotations = { 'org.opencontainers.image.ref.name': `${version}-${architecture}` };
    return { ...writeJsonBlob(manifest, 'manifest.v1+json'), platform, annotations };
  });
  const index = { schemaVersion: 2, mediaType: mediaType('index.v1+json'), manifests };
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeTar(layout, ['oci-layout', 'index.json', 'blobs'], to);
}

const sha256 = (bytes: Buffer) => `sha256:${hash('sha256', bytes)}`;
