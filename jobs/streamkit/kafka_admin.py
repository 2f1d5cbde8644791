"""Kafka's own admin client, which comes with Spark's connector: what a topic is, and where a consumer group stands."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Mapping

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from streamkit.errors import JobError
from streamkit.spec import Topic

_TIMEOUT_MS = 30_000


class KafkaAdmin:
    """A connection to the cluster of one topic. To be closed."""

    def __init__(self, spark: SparkSession, topic: Topic) -> None:
        jvm: Any = spark._jvm
        self._jvm = jvm
        self._where = topic.bootstrap
        settings = jvm.java.util.HashMap()
        options = {**topic.options, "default.api.timeout.ms": str(_TIMEOUT_MS), "request.timeout.ms": "10000"}
        for key, value in {**options, "bootstrap.servers": topic.bootstrap, "client.id": "hdictl-job"}.items():
            settings.put(key, value)
        # By the loader of the jars that came with the job: Kafka looks classes up by the thread's own.
        self._admin = self._call(lambda: jvm.org.apache.kafka.clients.admin.AdminClient.create(settings))

    def __enter__(self) -> KafkaAdmin:
        return self

    def __exit__(self, *_reason: BaseException | TracebackType | type[BaseException] | None) -> None:
        self._admin.close()

    def cluster_id(self) -> str:
        return str(self._call(lambda: self._admin.describeCluster().clusterId().get()))

    def topic_ids(self, topics: list[str]) -> dict[str, str]:
        """Topic → the id that Kafka gave it when it was made; a topic made anew has another one."""
        names = self._jvm.java.util.ArrayList()
        for topic in topics:
            names.add(topic)
        found = {}
        for topic, future in dict(self._admin.describeTopics(names).values()).items():
            try:
                found[topic] = str(future.get().topicId().toString())
            except Py4JJavaError as error:
                if "UnknownTopicOrPartition" in str(error.java_exception):
                    raise JobError(
                        f"there is no topic `{topic}` at {self._where}",
                        "make it: name it in the stack, and run `hdictl apply`",
                    ) from None
                raise self._failed(error) from None
        return found

    def largest_record(self, topic: str) -> int:
        """Bytes that the topic takes: its own `max.message.bytes`, or its brokers'."""
        resource = self._jvm.org.apache.kafka.common.config.ConfigResource
        asked = self._jvm.java.util.ArrayList()
        asked.add(resource(resource.Type.TOPIC, topic))
        settings = self._call(lambda: self._admin.describeConfigs(asked).all().get())
        [found] = list(settings.values())
        return int(found.get("max.message.bytes").value())

    def commit(self, group: str, offsets: Mapping[str, Mapping[str, int]]) -> None:
        """Say that a group has read up to here: nobody is in it, it is there for those who look."""
        places = self._jvm.java.util.HashMap()
        for topic, partitions in offsets.items():
            for partition, offset in partitions.items():
                place = self._jvm.org.apache.kafka.common.TopicPartition(topic, int(partition))
                places.put(place, self._jvm.org.apache.kafka.clients.consumer.OffsetAndMetadata(int(offset)))
        self._call(lambda: self._admin.alterConsumerGroupOffsets(group, places).all().get())

    def _call(self, ask: Any) -> Any:
        try:
            return ask()
        except Py4JJavaError as error:
            raise self._failed(error) from None

    def _failed(self, error: Py4JJavaError) -> JobError:
        said = error.java_exception.getCause() or error.java_exception
        return JobError(f"Kafka at {self._where} does not answer: {said.toString()}", "see the brokers: hdictl status")
