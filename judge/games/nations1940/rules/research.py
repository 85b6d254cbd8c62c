"""Step 8: progress and completion of projects (N-87 to N-92)."""

from collections.abc import Sequence

from judge.games.nations1940.rules.limits import research_points
from judge.games.nations1940.rules.world import World

PUBLIC = {
    "Nuclear Power", "Nuclear Missiles", "Satellites", "Manned Spaceflight", "Lunar Landing",
}  # fmt: skip
"""Technologies whose completion is public (N-161)."""


def research(world: World, new_academies: frozenset[int] = frozenset()) -> dict[str, str]:
    """Add each nation's points to its project and return nation → completed project.

    A nation has one project at a time. Points above its cost are lost (N-88). Progress is stored
    for each technology. Without a queue the points are lost (N-89). Academies built this turn do
    not count yet (N-87).
    """
    completed = {}
    for nation in world.alive:
        project = project_of(world, nation)
        points = world.points[nation] = research_points(world, nation, new_academies)
        if project is None:
            world.record_event("no-project", only=(nation,), nation=nation, points=points)
            continue
        now = world.nations[nation]
        done = now.progress.get(project, 0) + points
        cost = world.board.techs[project].cost
        if done >= cost:
            completed[nation] = project
            world.reform(
                nation,
                queue=tuple(tech for tech in now.queue if tech != project),
                progress={tech: rp for tech, rp in now.progress.items() if tech != project},
            )
            only = () if project in PUBLIC else (nation,)
            world.record_event("completed", only=only, nation=nation, tech=project)
            if done > cost and world.rules >= 3:
                world.record_event("leftover", only=(nation,), nation=nation, tech=project,
                           points=done - cost)
        else:
            world.reform(nation, progress={**now.progress, project: done})
            world.record_event(
                "progress", only=(nation,), nation=nation, tech=project, points=points, done=done,
                cost=cost,
            )  # fmt: skip
    return completed


def project_of(world: World, nation: str) -> str | None:
    """Return the first project of the queue whose requirements are known, or None."""
    now = world.nations[nation]
    for tech in now.queue:
        if tech not in now.techs and {*world.board.techs[tech].requires} <= now.techs:
            return tech
    return None


def with_requirements(world: World, nation: str, techs: Sequence[str]) -> tuple[str, ...]:
    """Return a queue with the missing requirements of its technologies first (N-90)."""
    queue: list[str] = []

    def add(tech: str) -> None:
        if tech in queue or tech in world.nations[nation].techs:
            return
        for need in world.board.techs[tech].requires:
            add(need)
        queue.append(tech)

    for tech in techs:
        add(tech)
    return tuple(queue)
