/** Runs the steps of a Dockerfile without a container: each stage is a folder, and each step works in it. */
import { type Copy, DockerfileParser, type Instruction } from "dockerfile-ast";
import { dirname, join } from "node:path/posix";

/** A built image. */
interface Image {
  /** The folder that stands for `/`. */
  readonly root: string;
  /** The folder that stands for the working directory. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | null;
  /** The commands in exec form by instruction. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

type Build = { -readonly [Key in keyof Image]: Image[Key] };

/** What a build is given. */
interface Context {
  /** The folder that is sent to the build, with `.dockerignore` applied. */
  readonly folder: string;
  /** A folder for the stages. */
  readonly into: string;
  /** Variables that have other values than in the image. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs every step in order, and returns the last stage. Throws if a step fails. */
export async function build(text: string, context: Context): Promise<Image> {
  const stages = new Map<string, Build>();
  let image: Build | undefined;
  for (const step of DockerfileParser.parse(text).getInstructions()) {
    if (step.getKeyword() === "FROM") {
      const name = /\bAS\s+(\S+)/i.exec(step.getRawArgumentsContent() ?? "");
      const root = join(context.into, `stage_${stages.size}`);
      await Deno.mkdir(root);
      image = { root, workdir: root, env: {}, user: null, commands: {} };
      stages.set(name?.[1] ?? "", image);
    } else if (image === undefined) throw new Error("a step before FROM");
    else await run(step, { image, stages, context });
  }
  return image!;
}

async function run(
  step: Instruction,
  { image, stages, context }: {
    readonly image: Build;
    readonly stages: ReadonlyMap<string, Build>;
    readonly context: Context;
  },
): Promise<void> {
  const text = step.getRawArgumentsContent()!;
  const words = step.getArguments().map((argument) => argument.getValue());
  switch (step.getKeyword()) {
    case "ENV": {
      const [name = "", value = ""] = text.split("=", 2);
      image.env = { ...image.env, [name]: value };
      return;
    }
    case "WORKDIR":
      image.workdir = join(image.root, text);
      return await Deno.mkdir(image.workdir, { recursive: true });
    case "COPY": {
      const from = (step as Copy).getFlags()
        .find((flag) => flag.getName() === "from")?.getValue();
      const source = from ? stages.get(from)!.root : context.folder;
      const [source_ = "", target = ""] = words.slice(-2);
      const to = target.startsWith("/")
        ? join(image.root, target)
        : join(image.workdir, target);
      await Deno.mkdir(dirname(to), { recursive: true });
      return await execute("cp", ["-a", "-T", join(source, source_), to], {});
    }
    case "RUN": {
      // Folders at the top of the image are below the folder of the stage.
      const command = text.replaceAll(/(?<=\s)\/(?=\w)/g, `${image.root}/`);
      return await execute("sh", ["-ec", command], {
        cwd: image.workdir,
        env: { ...image.env, ...context.env },
      });
    }
    case "USER":
      image.user = text;
      return;
    case "CMD":
    case "ENTRYPOINT":
      image.commands = {
        ...image.commands,
        [step.getKeyword()]: JSON.parse(text),
      };
      return;
    case "HEALTHCHECK":
      image.commands = {
        ...image.commands,
        HEALTHCHECK: JSON.parse(/CMD\s+(\[.*\])/s.exec(text)![1]!),
      };
      return;
    case "EXPOSE":
    case "STOPSIGNAL":
    case "VOLUME":
      return;
    default:
      throw new Error(`Cannot run ${step.getKeyword()}`);
  }
}

async function execute(
  program: string,
  args: readonly string[],
  options: Deno.CommandOptions,
): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    ...options,
    args: [...args],
  }).output();
  if (success) return;
  const output = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  throw new Error(`${program} ${args.join(" ")} failed:\n${output.join("")}`);
}
